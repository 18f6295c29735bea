import type { AvailabilityLabel } from "../contract.gen";
import { withKeys } from "../ui/withKeys";
import "./StockBadge.css";

interface StockBadgeProps {
  labels: readonly AvailabilityLabel[];
}

export function StockBadge({ labels }: StockBadgeProps) {
  return withKeys(labels, ({ text }) => text).map(([key, { text, tone }]) => (
    <p key={key} className={tone === undefined ? "StockBadge" : "StockBadge StockBadge--low"}>
      {text}
    </p>
  ));
}
