import type { Brands } from "../contract.gen";
import { BrandGroup } from "../overview/BrandGroup";
import { brandsHref } from "../navigation/addresses";
import { groupByInitial } from "../overview/groupByInitial";
import { OverviewPages } from "../overview/OverviewPages";
import { PageHeading } from "../overview/PageHeading";
import { FailureNotice } from "../ui/FailureNotice";
import { ReadingNotice } from "../ui/ReadingNotice";
import "./BrandsPage.css";

export function BrandsPage({ content }: { content: Brands }) {
  return (
    <div className="BrandsPage container">
      <PageHeading title="Brands" text="The makers behind the shelves, from A to Z." />
      {content.reading !== undefined ? (
        <ReadingNotice reading={content.reading} />
      ) : content.failed ? (
        <FailureNotice what="brands" heading="h2" />
      ) : (
        <div className="BrandsPage-groups">
          {[...groupByInitial(content.brands)].map(([initial, brands]) => (
            <BrandGroup key={initial} initial={initial} brands={brands} />
          ))}
        </div>
      )}
      {content.pages !== undefined && <OverviewPages pages={content.pages} href={brandsHref} />}
    </div>
  );
}
