import { SaleBanner as Plain } from "./SaleBanner";
import { memoised } from "../../ssr/memoised";

export const SaleBanner = memoised(Plain, ({ banner }) => JSON.stringify(banner));
