import { SectionHeading as Plain } from "../../../client/ui/SectionHeading";
import { memoised } from "../../memoised";

export const SectionHeading = memoised(Plain, ({ id, title, href }) => JSON.stringify([id, title, href]));
