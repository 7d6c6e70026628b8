package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.Figures;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LocalAgent;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page in a real browser. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway") // a script that answers nothing fails the test
@Tag("sweep")
final class PageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String REPOSITORY = "git+https://forge.example/an-organisation/a-repository-with-a-name.git";

    @TempDir
    private Path profile;

    private final FakeBuilds builds = new FakeBuilds();
    private WebServer server;
    private ChromeDriver browser;

    @BeforeEach
    void start() throws Exception {
        Optional<String> chromium = program("chromium");
        Optional<String> driver = program("chromedriver");
        assumeTrue(
                chromium.isPresent() && driver.isPresent(),
                "chromium or chromedriver is missing: apt-get install chromium chromium-driver");
        server = WebServer.start(builds, Access.of(Site.TOKEN), 0);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--window-size=1200,800",
                "--user-data-dir=" + profile);
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
        if (server != null) {
            server.close();
        }
    }

    private static Optional<String> program(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** Opens the page, and logs in if it asks for that. */
    private void open(String hash) {
        browser.get("http://127.0.0.1:" + server.port() + "/" + hash);
        WebElement token = browser.findElement(By.id("token"));
        await("it asks for the token or does not", () -> token.isDisplayed() || isLoggedIn());
        if (token.isDisplayed()) {
            token.sendKeys(Site.TOKEN.text());
            browser.findElement(By.id("enter")).click();
            await("the token is taken", this::isLoggedIn);
        }
    }

    private boolean isLoggedIn() {
        return browser.findElement(By.id("logout")).isDisplayed();
    }

    private void await(String what, BooleanSupplier condition) {
        new WebDriverWait(browser, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .withMessage(() -> what + ", but the page shows: " + shown())
                .until(some -> condition.getAsBoolean());
    }

    /** Texts of the rows that are in the document, in order; of one moment, by one script. */
    private List<String> shown() {
        Object texts = script("return [...document.querySelectorAll('.row')].map(row => row.textContent)");
        return ((List<?>) texts).stream().map(Object::toString).toList();
    }

    private Object script(String text, Object... arguments) {
        return ((JavascriptExecutor) browser).executeScript(text, arguments);
    }

    private String text(String id) {
        return browser.findElement(By.id(id)).getText();
    }

    @ParameterizedTest
    @ValueSource(ints = {10_000, 1_000_000})
    void log_ofManyLines_isFollowedAndScrolledWithFewRowsInTheDocument(int lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= lines; i++) {
            text.append("line number ").append(i).append('\n');
        }
        builds.append("job", text.toString());
        open("#/job/job");
        await("the last line is followed", () -> shown().contains(lines + "line number " + lines));
        builds.append("job", "one more\n");
        await("the new line is followed", () -> shown().contains((lines + 1) + "one more"));
        assertThat(text("lines")).startsWith(String.format(Locale.ROOT, "%,d lines", lines + 1));
        assertThat(shown()).hasSizeLessThan(500);

        script("document.getElementById('log').scrollTop = 0");
        await("the first line is shown", () -> shown().contains("1line number 1"));
        await(
                "and is no longer followed",
                () -> !browser.findElement(By.id("follow")).isSelected());
        script("const log = document.getElementById('log'); log.scrollTop = (log.scrollHeight - log.clientHeight) / 2");
        await("the middle is shown, each row its own number", () -> {
            List<String> rows = shown();
            return !rows.isEmpty()
                    && rows.stream().allMatch(row -> row.matches("(\\d+)line number \\1"))
                    && Math.abs(Integer.parseInt(rows.get(0).replaceAll("line.*", "")) - lines / 2) < 200;
        });
        builds.append("job", "and more\n");
        builds.end("job");
        await("the end of the job is told", () -> text("status").equals("succeeded"));
        assertThat(shown()).noneMatch(row -> row.contains("more"));
        browser.findElement(By.id("follow")).click();
        await("the end is shown", () -> shown().contains((lines + 2) + "and more"));
    }

    @Test
    void log_ofARealBuild_isFollowedWhileItRuns() throws Exception {
        realBuild(10_000);
    }

    @Test
    @Tag("slow")
    void log_ofARealBuildOfAMillionLines_isFollowedWhileItRuns() throws Exception {
        realBuild(1_000_000);
    }

    /** From the script to the screen, with a real master and agent between. */
    private void realBuild(int lines) throws Exception {
        long start = System.nanoTime();
        Path folder = profile.resolve("builds");
        Path go = profile.resolve("go");
        GitRepo repo = GitRepo.withScript(
                profile.resolve("repository"),
                "seq 1 " + (lines / 2) + " | sed 's/^/line number /'",
                "while [ ! -e " + go + " ]; do sleep 0.01; done",
                "seq " + (lines / 2 + 1) + " " + lines + " | sed 's/^/line number /'");
        try (Site site = new Site(folder.resolve("master"))) {
            BuildAgent agent = site.with(BuildAgent.at(folder.resolve("agent")).open());
            site.agent("a", LocalAgent.of(agent));
            server.close();
            server = WebServer.start(site.master().view(), Access.of(Site.TOKEN), 0);
            Build build = site.client()
                    .submit(BuildRequest.of("git+" + repo.url(), "master", "build.sh")
                            .build());
            open("#/job/" + build.accepted().get(60, TimeUnit.SECONDS));
            await("half of the lines are followed", () -> hasRow("line number " + lines / 2));
            Files.createFile(go);
            await(
                    "the last lines are followed",
                    () -> hasRow("line number " + lines) && hasRow("---> Build succeeded"));
            await("the end of the job is told", () -> text("status").equals("succeeded"));
            double followed = (System.nanoTime() - start) / 1e9;
            int rows = shown().size();
            assertThat(rows).isLessThan(500);
            script("document.getElementById('log').scrollTop = 0");
            await("the first lines are shown", () -> shown().contains("1---> Locking the project workspace"));
            await("and the script's", () -> hasRow("line number 1"));
            Figures.say(
                    "page in a real browser: %d lines followed live to their end in %.1f s, %d rows in the document",
                    lines, followed, rows);
        }
    }

    private boolean hasRow(String text) {
        return shown().stream().anyMatch(row -> row.matches("\\d+" + text));
    }

    @Test
    void log_withColorsMarkupAndBytesOfNoText_showsThemAsTheyAre() {
        builds.append("job", "\u001b[1;31mred\u001b[0m plain <script>document.title='bad'</script>\n");
        builds.append("job", "10 %\r50 %\r100 %\r\n");
        builds.append("job", "\u001b]0;title\u0007nul \u0000 \u001b[38;5;208mhue\u001b[m\n");
        builds.end("job");
        open("#/job/job");
        await("all is shown", () -> shown().size() == 3);
        WebElement red = browser.findElement(By.cssSelector(".row .f1"));
        assertThat(red.getText()).isEqualTo("red");
        assertThat(red.getAttribute("class")).contains("bold");
        assertThat(shown())
                .containsExactly("1red plain <script>document.title='bad'</script>", "2100 %", "3nul \ufffd hue");
        assertThat(browser.getTitle()).doesNotContain("bad");
        assertThat(browser.findElement(By.xpath("//span[text()='hue']")).getCssValue("color"))
                .contains("255, 135, 0");
    }

    @Test
    void sections_ofALog_areFoldedAndFound() {
        builds.append("job", "---> first\na\nb\n\n---> second\nc Needle\nd\n");
        builds.end("job");
        open("#/job/job");
        await("all is shown", () -> shown().size() == 7);
        browser.findElement(By.cssSelector(".fold")).click();
        await(
                "the first section is folded",
                () -> shown().equals(List.of("1---> first", "5---> second", "6c Needle", "7d")));
        browser.findElement(By.id("fold")).click();
        await("all sections are folded", () -> shown().equals(List.of("1---> first", "5---> second")));
        WebElement find = browser.findElement(By.id("find"));
        find.sendKeys("nEEDLE\n");
        await("its line is told", () -> text("found").equals("line 6"));
        await(
                "its section is unfolded",
                () -> shown().equals(List.of("1---> first", "5---> second", "6c Needle", "7d")));
        assertThat(browser.findElement(By.cssSelector(".row.found")).getText()).contains("c Needle");
        find.sendKeys(" not\n");
        await("that is not there", () -> text("found").equals("not found"));
        browser.findElement(By.id("fold")).click();
        browser.findElement(By.id("fold")).click();
        browser.findElement(By.cssSelector(".fold")).click();
        await("one is unfolded", () -> shown().equals(List.of("1---> first", "2a", "3b", "4", "5---> second")));
    }

    @Test
    void search_inALongLog_goesFromPlaceToPlaceAndRoundAgain() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 300_000; i++) {
            text.append(i % 100_000 == 0 ? "wanted " : "line ").append(i).append('\n');
        }
        builds.append("job", text.toString());
        builds.end("job");
        open("#/job/job");
        await("its end is shown", () -> shown().contains("300000wanted 300000"));
        WebElement find = browser.findElement(By.id("find"));
        find.sendKeys("wanted");
        for (String line : List.of("100,000", "200,000", "300,000", "100,000")) {
            find.sendKeys("\n");
            await("it is found", () -> text("found").equals("line " + line));
            String number = line.replace(",", "");
            await("and shown", () -> shown().contains(number + "wanted " + number));
        }
        assertThat(browser.findElement(By.id("follow")).isSelected()).isFalse();
    }

    @Test
    void times_ofALog_standBesideItsLines() {
        builds.append("job", "123456789\nabc\n");
        builds.end("job");
        open("#/job/job");
        await("all is shown", () -> shown().equals(List.of("1123456789", "2abc")));
        browser.findElement(By.id("times")).click();
        await(
                "times are shown",
                () -> shown().size() == 2
                        && shown().get(0).matches("1\\d\\d:\\d\\d:21123456789")
                        && shown().get(1).matches("2\\d\\d:\\d\\d:\\d\\dabc"));
        assertThat(script("return [...document.querySelectorAll('time')].map(one => one.textContent.slice(-2)).join()"))
                .as("a minute and a second between them")
                .isEqualTo("21,22");
    }

    @Test
    void retry_opensTheJobThatRepeatsTheOther() {
        builds.append("job", "hello\n");
        builds.end("job");
        open("#/job/job");
        await("it is over", () -> text("status").equals("succeeded"));
        browser.findElement(By.id("retry")).click();
        await(
                "the new job is shown",
                () -> String.valueOf(browser.getCurrentUrl()).endsWith("#/job/new-1"));
        await("and says what it repeats", () -> text("origin").equals("repeats job"));
        assertThat(browser.findElement(By.id("retry")).isDisplayed()).isFalse();
    }

    @Test
    void overview_ofManyJobs_leadsToOlderOnesAndBack() {
        for (int i = 1; i <= 502; i++) {
            builds.append(String.format(Locale.ROOT, "job-%03d", i), "");
        }
        open("");
        WebElement older = browser.findElement(By.id("older"));
        await("older ones are offered", older::isDisplayed);
        older.click();
        await("the oldest are listed", () -> jobs() == 2);
        assertThat(older.isDisplayed()).isFalse();
        browser.findElement(By.id("newest")).click();
        await("the newest are listed", () -> jobs() == 500);
    }

    private long jobs() {
        return (Long) script("return document.querySelectorAll('#jobs tbody tr').length");
    }

    @Test
    void log_withALineOfManyMegabytes_showsItsBeginning() {
        builds.append("job", "first\n" + "x".repeat(3_000_000) + "\nlast\n");
        builds.end("job");
        open("#/job/job");
        await("all lines are shown", () -> shown().size() == 3 && shown().get(2).equals("3last"));
        assertThat(shown().get(1)).hasSizeLessThan(11_000).startsWith("2xxx").contains("cut");
    }

    @ParameterizedTest
    @ValueSource(ints = {375, 1280})
    void overview_showsJobsAndAgents_andLeadsToALog(int width) {
        browser.manage().window().setSize(new Dimension(width, 800));
        builds.append("job", "hello\n");
        open("");
        await("the job is listed", () -> text("jobs").contains("branch <b>1</b>"));
        assertThat(text("agents")).contains("agent-1").contains("linux").contains("1 of 2");
        assertThat(panes()).isEqualTo("overview");
        await("its row, which is made anew each second, is clicked", () -> {
            browser.findElement(By.linkText("running")).click();
            return true;
        });
        await("its log is shown", () -> shown().contains("1hello"));
        assertThat(panes()).isEqualTo("job");
        assertThat(browser.findElement(By.id("download")).getDomProperty("href"))
                .endsWith("/api/v1/jobs/job/raw");
    }

    /** From the history, which is all that a new master knows of the jobs of the one before. */
    @ParameterizedTest
    @ValueSource(ints = {375, 1280})
    void endedJob_isTheSameAfterARestartOfTheMaster(int width) throws Exception {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", false));
        server.close();
        try (Site site = new Site(profile.resolve("master"))) {
            site.agent("agent-1", site.with(new FakeAgent(run -> {
                run.print("hello\n");
                return 3;
            })));
            Build build = site.client()
                    .submit(BuildRequest.of(REPOSITORY, "feature/a-branch-with-a-name", "ci/build-and-test.sh")
                            .build());
            assertThat(build.result().get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(3);
            String id = build.accepted().get(60, TimeUnit.SECONDS);
            server = WebServer.start(site.master().view(), Access.of(Site.TOKEN), 0);
            showsEndedJob(id);
            server.close();
            site.stopMaster();
            site.startMaster();
            server = WebServer.start(site.master().view(), Access.of(Site.TOKEN), 0);
            showsEndedJob(id);
        }
    }

    private void showsEndedJob(String id) {
        open("");
        await("the job is listed", () -> {
            String row = String.valueOf(script("return document.querySelector('#jobs tbody').textContent"));
            return row.contains(REPOSITORY + "feature/a-branch-with-a-nameci/build-and-test.sh")
                    && row.contains("script_failed");
        });
        assertNothingIsBesideThePage();
        open("#/job/" + id);
        await("the job is shown", () -> text("status").equals("script_failed (exit code 3)"));
        assertThat(text("title")).isEqualTo(REPOSITORY + " feature/a-branch-with-a-name ci/build-and-test.sh");
        await("so is its log", () -> shown().contains("1hello"));
        assertThat(panes()).isEqualTo("job");
        assertThat(browser.findElement(By.id("cancel")).isDisplayed()).isFalse();
        assertThat(browser.findElement(By.id("retry")).isDisplayed()).isTrue();
        assertNothingIsBesideThePage();
    }

    private void assertNothingIsBesideThePage() {
        Object wide = script("return [document.documentElement, document.body, ...document.querySelectorAll('main')]"
                + ".filter(one => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)"
                + ".map(one => one.tagName + ' ' + one.id + ' ' + one.scrollWidth).join()");
        assertThat(wide).as("what is wider than the window").isEqualTo("");
    }

    /** Returns the ids of the panes that take room, with a comma between them. */
    private String panes() {
        return String.valueOf(script("return [...document.querySelectorAll('main')]"
                + ".filter(pane => pane.getBoundingClientRect().height > 0).map(pane => pane.id).join()"));
    }

    @Test
    void cancel_askedTwice_cancels() {
        builds.append("job", "hello\n");
        open("#/job/job");
        await("the log is shown", () -> shown().contains("1hello"));
        browser.findElement(By.id("cancel")).click();
        assertThat(builds.cancelled).isEmpty();
        browser.findElement(By.id("cancel")).click();
        await("the master is asked", () -> {
            synchronized (builds) {
                return builds.cancelled.equals(List.of("job"));
            }
        });
    }
}
