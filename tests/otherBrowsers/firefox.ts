import puppeteer from "puppeteer-core";
import type { StartedBrowser } from "./tab";

/** Nothing but the shop is asked for. */
const WITHOUT_BACKGROUND_TRAFFIC = {
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.newtabpage.enabled": false,
  "browser.region.network.url": "",
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.search.update": false,
  "browser.topsites.contile.enabled": false,
  "datareporting.healthreport.uploadEnabled": false,
  "dom.push.enabled": false,
  "extensions.getAddons.cache.enabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.dns.disablePrefetch": true,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "toolkit.telemetry.server": "data:,",
};

/** Starts Debian's Firefox, which speaks WebDriver BiDi by itself. */
export async function startFirefox(javaScript: boolean): Promise<StartedBrowser> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    extraPrefsFirefox: { ...WITHOUT_BACKGROUND_TRAFFIC, "javascript.enabled": javaScript },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  return {
    tab: {
      async open(address) {
        await page.goto(address);
      },
      evaluate: (expression) => page.evaluate(expression),
      clickAt: (x, y) => page.mouse.click(x, y),
      press: (key) => page.keyboard.press(key),
      resize: (width, height) => page.setViewport({ width, height }),
      screenshot: () => page.screenshot({ fullPage: true }),
    },
    stop: () => browser.close(),
  };
}
