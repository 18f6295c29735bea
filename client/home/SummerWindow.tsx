import type { Banner } from "../contract.gen";
import "./SummerWindow.css";

/** The banner's drawing: a shop window decorated as a beach; by night with a moon and lit lamps. */
export function SummerWindow({ tag }: { tag: NonNullable<Banner["tag"]> }) {
  return (
    <svg className="SummerWindow" viewBox="24 52 512 356" aria-hidden="true">
      <defs>
        <clipPath id="SummerWindow-glass">
          <path d="M70 90h420v290H70z" />
        </clipPath>
        <clipPath id="SummerWindow-ball">
          <circle cx="404" cy="344" r="34" />
        </clipPath>
      </defs>
      <path className="SummerWindow-pine" d="M52 70h456v328H52z" />
      <g clipPath="url(#SummerWindow-glass)">
        <path className="SummerWindow-sky" d="M70 90h420v290H70z" />
        <circle className="SummerWindow-sun" cx="322" cy="262" r="82" />
        <path
          className="SummerWindow-moon"
          d="M362 178a34 34 0 1 0 26 52 29 29 0 0 1-26-52zM96 168h4v4h-4zM240 190h4v4h-4zM130 214h3v3h-3zM254 236h3v3h-3z"
        />
        <path className="SummerWindow-sea" d="M70 262h420v80H70z" />
        <path
          className="SummerWindow-ripples"
          d="M262 276h120M284 290h78M300 304h46M96 284h52M120 300h66M418 282h50M404 302h40"
        />
        <path className="SummerWindow-sand" d="M70 330c70-26 130-6 200 2s150 14 220-14v70H70z" />
        <g transform="rotate(-14 196 230)">
          <path className="SummerWindow-pole" d="M196 176v196" />
          <path className="SummerWindow-cream" d="M92 250a104 96 0 0 1 208 0c-17-14-35-14-52 0-17-14-35-14-52 0-17-14-35-14-52 0-17-14-35-14-52 0z" />
          <path className="SummerWindow-clay" d="M144 250c0-52 20-92 52-96 32 4 52 44 52 96-17-14-35-14-52 0-17-14-35-14-52 0z" />
          <path className="SummerWindow-cream" d="M176 244c0-46 8-84 20-90 12 6 20 44 20 90-8-2-14 1-20 6-6-5-12-8-20-6z" />
        </g>
        <g clipPath="url(#SummerWindow-ball)">
          <circle className="SummerWindow-cream" cx="404" cy="344" r="34" />
          <path className="SummerWindow-clay" d="M392 330c4-16 12-28 26-34l24 20c-16 2-34 6-50 14z" />
          <path className="SummerWindow-pine" d="M392 330c-14 6-24 16-30 28l-8-34 20-20c2 10 8 20 18 26z" />
          <path className="SummerWindow-sea" d="M392 330c4 20 16 38 36 46l-40 8-18-18c4-14 12-26 22-36z" />
        </g>
        <g className="SummerWindow-pine">
          <path d="M276 348h34v10a17 17 0 0 1-34 0zM322 348h34v10a17 17 0 0 1-34 0z" />
          <path d="M268 346h96v5h-96z" />
        </g>
        <path className="SummerWindow-lamplight" d="M148 106 84 380h152l-64-274zM388 106l-64 274h152l-64-274z" />
      </g>
      <path className="SummerWindow-lamp" d="M142 108a18 18 0 0 1 36 0zM382 108a18 18 0 0 1 36 0z" />
      <path className="SummerWindow-sill" d="M34 380h492v24H34z" />
      <path className="SummerWindow-pine" d="M34 56h492v16H34z" />
      <g className="SummerWindow-tag">
        <path className="SummerWindow-string" d="M448 90v84" />
        <path className="SummerWindow-label" d="m448 164 42 36v76a10 10 0 0 1-10 10h-64a10 10 0 0 1-10-10v-76z" />
        <circle className="SummerWindow-hole" cx="448" cy="188" r="6" />
        <text className="SummerWindow-percent" x="448" y="244" textAnchor="middle">
          {tag[0]}
        </text>
        <text className="SummerWindow-off" x="448" y="268" textAnchor="middle">
          {tag[1]}
        </text>
      </g>
    </svg>
  );
}
