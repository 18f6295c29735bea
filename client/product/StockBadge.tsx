import "./StockBadge.css";

interface StockBadgeProps {
  stock: number;
}

const LOW_STOCK = 5;

export function StockBadge({ stock }: StockBadgeProps) {
  const isLow = stock <= LOW_STOCK;
  return <p className={isLow ? "StockBadge StockBadge--low" : "StockBadge"}>{isLow ? "Low Stock" : "In Stock"}</p>;
}
