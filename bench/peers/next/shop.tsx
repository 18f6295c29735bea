// The application's components as a client tree, with the page's data as a prop.
import { useState } from "react";
import { App } from "../../../client/App";
import type { Page } from "../../../client/contract.gen";
import { createPageRouter } from "../../../client/navigation/pageRouter";

export function Shop({ page }: { page: Page }) {
  const [router] = useState(() => createPageRouter(page));
  return <App router={router} />;
}
