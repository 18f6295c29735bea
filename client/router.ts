/**
 * The one module that names the router's package, so that its next major version is one edit.
 * Loading is the shop's own (`navigation/pageRouter.ts`): every address has the same loader, and
 * the package's data router would cost a sixth of the first load.
 */
export {
  createPath,
  Link,
  matchPath,
  NavigationType,
  NavLink,
  parsePath,
  Router,
  useLocation,
  useNavigate,
  useNavigationType,
} from "react-router-dom";
export type { LinkProps, Location, Navigator, Path, To } from "react-router-dom";
export { useNavigation } from "./navigation/useNavigation";
