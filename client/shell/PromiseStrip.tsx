import { Icon } from "../ui/Icon";
import "./PromiseStrip.css";

export function PromiseStrip() {
  return (
    <div className="PromiseStrip">
      <ul className="PromiseStrip-list container">
        <li className="PromiseStrip-item">
          <Icon name="truck" size={16} />
          <span>
            Free shipping<span className="PromiseStrip-detail"> on orders</span> over $50
          </span>
        </li>
        <li className="PromiseStrip-item">
          <Icon name="headset" size={16} />
          24/7 support
        </li>
        <li className="PromiseStrip-item">
          <Icon name="undo-2" size={16} />
          30-day returns
        </li>
      </ul>
    </div>
  );
}
