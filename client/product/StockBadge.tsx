import "./StockBadge.css";

interface StockBadgeProps {
  stock: number | null;
}

const LOW_STOCK = 5;

export function StockBadge({ stock }: StockBadgeProps) {
  if (stock === null) return null;
  const isLow = stock <= LOW_STOCK;
  return (
    <>
      <p className={isLow ? "StockBadge StockBadge--low" : "StockBadge"}>{isLow ? "Low Stock" : "In Stock"}</p>
      {stock === 0 && <p className="StockBadge StockBadge--low">Sold out</p>}
    </>
  );
}
