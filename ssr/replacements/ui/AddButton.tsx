import { AddButton as Plain } from "../../../client/ui/AddButton";
import { memoised } from "../../memoised";

export const AddButton = memoised(Plain, ({ product }) => product.title);
