import { Footer as Plain } from "../../../client/shell/Footer";
import { memoised } from "../../memoised";

export const Footer = memoised(Plain, () => "");
