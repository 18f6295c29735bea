import "../dist/shop.css";

export default function Application({ Component, pageProps }) {
  return (
    <div id="root">
      <Component {...pageProps} />
    </div>
  );
}
