/**
 * The only module that imports the router package, so that a new major version changes one file.
 * Pages are loaded by our own router (`pageRouter.ts`), not by the package's data router.
 */
export {
  createPath,
  Link as RouterLink,
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
