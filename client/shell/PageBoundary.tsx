import { Component } from "react";
import type { ReactNode } from "react";
import type { Visit } from "../navigation/visit";
import { RouteError } from "./RouteError";

interface PageBoundaryProps {
  visit: Visit;
  children: ReactNode;
}

interface PageBoundaryState {
  visit: Visit;
  error: Error | null;
}

/** Shows the error page when a page fails to render, until the next navigation. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { visit: this.props.visit, error: null };

  static getDerivedStateFromError(reason: unknown) {
    return { error: reason instanceof Error ? reason : new Error(String(reason)) };
  }

  static getDerivedStateFromProps({ visit }: PageBoundaryProps, state: PageBoundaryState) {
    return visit === state.visit ? null : { visit, error: null };
  }

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : <RouteError error={error} />;
  }
}
