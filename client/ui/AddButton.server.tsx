import { AddButton as Plain } from "./AddButton";
import { memoised } from "../../ssr/memoised";

export const AddButton = memoised(Plain, ({ product }) => product.title);
