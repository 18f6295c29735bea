import { useEffect } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { announce } from "../ui/announce";
import "./ProgressBar.css";

export function ProgressBar() {
  useEffect(() => announce(text(Key.loading)), []);
  return <div className="ProgressBar" />;
}
