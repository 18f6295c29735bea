import "./ShopStats.css";

const STATS = [
  { figure: "1M+", meaning: "Happy customers" },
  { figure: "50K+", meaning: "Products" },
  { figure: "24/7", meaning: "Support" },
];

export function ShopStats() {
  return (
    <ul className="ShopStats" aria-label="The shop in figures">
      {STATS.map(({ figure, meaning }) => (
        <li key={figure} className="ShopStats-stat">
          <strong className="ShopStats-figure">{figure}</strong> <span className="ShopStats-meaning">{meaning}</span>
        </li>
      ))}
    </ul>
  );
}
