import type { Brands } from "../contract.gen";
import { BrandGroup } from "../overview/BrandGroup";
import { brandsHref } from "../navigation/addresses";
import { groupByInitial } from "../overview/groupByInitial";
import { OverviewPages } from "../overview/OverviewPages";
import { PageHeading } from "../overview/PageHeading";
import { FurtherStyles } from "../ui/FurtherStyles";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { FailureNotice } from "../ui/FailureNotice";
import { ReadingNotice } from "../ui/ReadingNotice";
import "./BrandsPage.css";

export function BrandsPage({ content }: { content: Brands }) {
  return (
    <div className="BrandsPage container">
      <PageHeading title={text(Key.brands)} text={text(Key.brandsIntroduction)} />
      {content.reading !== undefined ? (
        <ReadingNotice reading={content.reading} />
      ) : content.failed ? (
        <FailureNotice failure={Key.brandsFailed} heading="h2" />
      ) : (
        <div className="BrandsPage-groups">
          {[...groupByInitial(content.brands)].map(([initial, brands]) => (
            <BrandGroup key={initial} initial={initial} brands={brands} />
          ))}
        </div>
      )}
      <FurtherStyles />
      {content.pages !== undefined && <OverviewPages pages={content.pages} href={brandsHref} />}
    </div>
  );
}
