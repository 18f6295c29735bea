import { SaleBanner as Plain } from "../../../client/home/SaleBanner";
import { memoised } from "../../memoised";

export const SaleBanner = memoised(Plain, ({ banner }) => JSON.stringify(banner));
