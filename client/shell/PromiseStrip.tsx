import type { ShopPromise } from "../contract.gen";
import { Icon } from "../ui/Icon";
import "./PromiseStrip.css";

export function PromiseStrip({ promises }: { promises: readonly ShopPromise[] }) {
  return (
    <div className="PromiseStrip">
      <ul className="PromiseStrip-list container">
        {promises.map(({ icon, text, detail, end }, index) => (
          <li key={index} className="PromiseStrip-item">
            <Icon name={icon} size={16} />
            <span>
              <span>{text}</span>
              {detail !== undefined && <span className="PromiseStrip-detail">{detail}</span>}
              {end !== undefined && <span>{end}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
