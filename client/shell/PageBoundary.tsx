import { Component } from "react";
import type { ReactNode } from "react";
import { isNodeMissing } from "../navigation/isNodeMissing";
import { loadDocumentOnce } from "../navigation/loadDocumentOnce";
import type { Visit } from "../navigation/visit";
import { ProgressBar } from "./ProgressBar";
import { RouteError } from "./RouteError";

interface PageBoundaryProps {
  visit: Visit;
  children: ReactNode;
}

interface PageBoundaryState {
  visit: Visit;
  error: Error | null;
  /** The document is loading again, which helps against the error. */
  isLoading: boolean;
}

/** Shows the error page when a page fails to render, until the next navigation. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { visit: this.props.visit, error: null, isLoading: false };

  static getDerivedStateFromError(reason: unknown) {
    return {
      error: reason instanceof Error ? reason : new Error(String(reason)),
      // React may call this again; `loadDocumentOnce` then returns the same.
      isLoading: isNodeMissing(reason) && loadDocumentOnce(),
    };
  }

  static getDerivedStateFromProps({ visit }: PageBoundaryProps, state: PageBoundaryState) {
    return visit === state.visit ? null : { visit, error: null, isLoading: false };
  }

  override render() {
    const { error, isLoading } = this.state;
    if (isLoading) return <ProgressBar />;
    return error === null ? this.props.children : <RouteError error={error} />;
  }
}
