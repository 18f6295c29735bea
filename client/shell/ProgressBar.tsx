import "./ProgressBar.css";

export function ProgressBar() {
  return (
    <div className="ProgressBar" role="status">
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
