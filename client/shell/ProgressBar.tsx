import { useEffect } from "react";
import { announce } from "../ui/announce";
import "./ProgressBar.css";

export function ProgressBar() {
  useEffect(() => announce("Loading"), []);
  return <div className="ProgressBar" />;
}
