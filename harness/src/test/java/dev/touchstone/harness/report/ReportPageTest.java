package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.harness.report.html.HtmlReport;
import dev.touchstone.harness.report.text.Links;
import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The report in a real browser: what it asks for, what it complains of, whether it fits, and whether everybody can read it. */
@Tag("slow")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway") // a script that answers nothing fails the test
class ReportPageTest {
    @TempDir
    private Path folder;

    private ChromeDriver browser;

    @BeforeEach
    void start() {
        Optional<String> chromium = program("chromium");
        Optional<String> driver = program("chromedriver");
        assumeTrue(
                chromium.isPresent() && driver.isPresent(),
                "chromium or chromedriver is missing: apt-get install chromium chromium-driver");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow());
        options.setScriptTimeout(Duration.ofMinutes(2)); // for axe-core on a busy machine
        options.setCapability("goog:loggingPrefs", logs);
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--user-data-dir=" + folder.resolve("profile"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(driver.orElseThrow()))
                .usingAnyFreePort()
                .build();
        browser = new ChromeDriver(service, options);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    private static Optional<String> program(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1))
                .map(path -> Path.of(path, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    @ParameterizedTest
    @CsvSource({"320, light", "375, light", "375, dark", "768, dark", "1280, light", "1280, dark"})
    void page_anyWidthAndScheme_fitsAsksForNothingAndIsReadable(int width, String scheme) throws Exception {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        open(HtmlReport.render(Fixtures.full(), Links.inRunFolder("bench/src/main/java")), width);

        fits(width);
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .as("console")
                .isEmpty();
        assertThat(browser.manage().logs().get(LogType.PERFORMANCE).getAll())
                .extracting(LogEntry::getMessage)
                .filteredOn(message -> message.contains("Network.requestWillBeSent\""))
                .filteredOn(message -> !message.contains("\"documentURL\":\"chrome:"))
                .as("requests")
                .allMatch(message -> message.contains("report.html"));
        shoot(scheme + "-" + width);
        unfold();
        fits(width);
        assertThat(axe()).as("axe-core").isEmpty();
        shoot(scheme + "-" + width + "-unfolded");
    }

    /** A run of everything that was ever recorded here, folded. */
    @ParameterizedTest
    @CsvSource({"375", "1280"})
    void page_allRecordedCells_isShort(int width) throws Exception {
        ReportInput recorded = RecordedRuns.together();
        assertThat(recorded.comparison().groups()).hasSizeGreaterThan(150);
        open(HtmlReport.render(recorded), width);
        fits(width);
        assertThat(number("return document.documentElement.scrollHeight"))
                .as("height")
                .isLessThan(4000);
        shoot("recorded-" + width);
        unfold();
        fits(width);
    }

    @ParameterizedTest
    @CsvSource({"better", "worse", "open"})
    void filter_side_leavesOnlyGroupsThatHaveIt(String side) throws Exception {
        open(HtmlReport.render(Fixtures.full()), 1280);
        String shown = "return [...document.querySelectorAll('.sided')].filter(e => e.checkVisibility()).length";
        long all = number(shown);
        browser.findElement(By.id("show-" + side)).click();
        assertThat(number(shown)).isPositive().isLessThan(all);
        assertThat(number("return [...document.querySelectorAll('.sided')].filter(e => e.checkVisibility()"
                        + " && !e.classList.contains('" + side + "')).length"))
                .isZero();
        browser.findElement(By.id("show-all")).click();
        assertThat(number(shown)).isEqualTo(all);
    }

    @Test
    void link_foldedSection_unfoldsIt() throws Exception {
        open(HtmlReport.render(Fixtures.full()), 1280);
        assertThat(number("return document.querySelectorAll('details[open] > #machine').length"))
                .isZero();
        browser.findElement(By.cssSelector("nav a[href='#machine']")).click();
        assertThat(number("return document.querySelectorAll('details[open] > #machine').length"))
                .isOne();
    }

    private void open(String html, int width) throws Exception {
        Path page = folder.resolve("report.html");
        Files.writeString(page, html);
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", width < 600));
        browser.get("about:blank"); // the browser's first page is not ours
        browser.manage().logs().get(LogType.PERFORMANCE);
        browser.get(page.toUri().toString());
    }

    private void fits(int width) {
        assertThat(number("return document.documentElement.scrollWidth"))
                .as("no overflow")
                .isLessThanOrEqualTo(width);
    }

    private void unfold() {
        browser.executeScript("document.querySelectorAll('details').forEach(details => details.open = true)");
    }

    /** Serious and critical findings, each with the elements that it is about. */
    private List<?> axe() throws Exception {
        try (InputStream in = ReportPageTest.class.getResourceAsStream("/axe.min.js")) {
            browser.executeScript(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        }
        return (List<?>) browser.executeAsyncScript("const done = arguments[0];"
                + "axe.run({resultTypes: ['violations']}).then(result => done(result.violations"
                + ".filter(found => found.impact === 'serious' || found.impact === 'critical')"
                + ".map(found => found.id + ': ' + found.nodes.slice(0, 5).map(node => node.html).join(' | '))))");
    }

    private void shoot(String name) throws Exception {
        Map<String, Object> shot = browser.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Path shots = Files.createDirectories(Path.of("target", "shots"));
        Files.write(shots.resolve(name + ".png"), Base64.getDecoder().decode((String) shot.get("data")));
    }

    private long number(String script) {
        return ((Number) browser.executeScript(script)).longValue();
    }
}
