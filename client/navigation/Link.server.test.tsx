// @vitest-environment node
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { Link as ClientLink } from "./Link";
import { NavigationProvider } from "./NavigationProvider";
import { createPageRouter } from "./pageRouter";
import { pageAt } from "../test/testing";
import { Link } from "./Link.server";

const ADDRESSES = [
  "/", "/sale", "/product/1", "/products?page=2&sort=price-asc", "/category/home-decoration", "/search/a%2Fb", "/?x=1", "/a?x=a/../b",
  "", "?", "?x=1", "#top", "/sale#top", "/sale?", "/sale#", "/sale/", "//evil.example/x", "/\\evil.example", "/a//b", "/a/./b", "/a/../b", "/..",
  "/category/..", "/category/.", "/category/.hidden", "/category/...", "/a\\b", "sale", "../sale", "./sale", "https://evil.example/",
  "/é", '/"<>&\'', "/a b", "/a?b?c", "/a?b#c?d",
];

it.each(ADDRESSES)("the server's link to %j is the client's", (to) => {
  const router = createPageRouter(pageAt("/category/tops?page=2"));
  const markup = (Component: typeof ClientLink) =>
    renderToString(
      <NavigationProvider router={router} state={router.getState()}>
        <Component className="Card-link" to={to} rel="next" preventScrollReset onClick={() => undefined} dir="auto">
          Text <b>{to}</b>
        </Component>
      </NavigationProvider>,
    );
  expect(markup(Link)).toBe(markup(ClientLink));
});
