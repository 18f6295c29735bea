import { Headset, Truck, Undo2 } from "lucide-react";
import "./PromiseStrip.css";

export function PromiseStrip() {
  return (
    <div className="PromiseStrip">
      <ul className="PromiseStrip-list container">
        <li className="PromiseStrip-item">
          <Truck aria-hidden="true" size={16} />
          <span>
            Free shipping<span className="PromiseStrip-detail"> on orders</span> over $50
          </span>
        </li>
        <li className="PromiseStrip-item">
          <Headset aria-hidden="true" size={16} />
          24/7 support
        </li>
        <li className="PromiseStrip-item">
          <Undo2 aria-hidden="true" size={16} />
          30-day returns
        </li>
      </ul>
    </div>
  );
}
