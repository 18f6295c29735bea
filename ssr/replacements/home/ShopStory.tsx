import { ShopStory as Plain } from "../../../client/home/ShopStory";
import { memoised } from "../../memoised";

export const ShopStory = memoised(Plain, ({ story, categories }) => JSON.stringify([story, categories]));
