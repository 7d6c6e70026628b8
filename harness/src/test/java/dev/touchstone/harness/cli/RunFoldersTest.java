package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.env.EnvironmentProbe;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFoldersTest {
    private final MeasureOptions options = new MeasureOptions();
    private final List<String> notices = new ArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path results;

    @SuppressWarnings("NullAway.Init")
    private Environment environment;

    @BeforeEach
    void machine() throws IOException {
        environment = EnvironmentProbe.capture(results);
        options.results = results;
    }

    @Test
    void open_resumeSameMachine_sameFolder() throws IOException {
        RunFolder made = open(environment);
        assertThat(Environment.read(made.path().resolve(Environment.FILE))).isEqualTo(environment);
        options.resume = "";
        assertThat(open(changed("loadAverage\" : )[0-9.]+", "0.01")).path()).isEqualTo(made.path());
        assertThat(notices).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "cpuModel, CPU model",
        "kernel, kernel",
        "fileSystem, file system",
        "device, device",
    })
    void open_resumeOnAnotherMachine_refusedNamingTheField(String component, String named) throws IOException {
        open(environment);
        options.resume = "";
        Environment other = changed(component + "\" : )\"[^\"]*\"", "\"other\"");
        assertThatThrownBy(() -> open(other))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("was made with another " + named + ": recorded ")
                .hasMessageEndingWith("now other");
    }

    @Test
    void open_resumeBesideACorruptRun_goesOnWithANotice() throws IOException {
        RunFolder made = open(environment);
        Path corrupt =
                Files.createDirectory(results.resolve(HostId.ofThisMachine()).resolve("2026-01-01-x"));
        Files.writeString(corrupt.resolve("run.json"), "{}");
        options.resume = "";
        assertThat(open(environment).path()).isEqualTo(made.path());
        assertThat(notices)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("Passed over: ")
                .contains("2026-01-01-x");
    }

    @Test
    void open_crashBeforeTheRunIsComplete_nothingToResume() throws IOException {
        RunFolder made = open(environment);
        Files.delete(made.path().resolve("run.json")); // the last file written
        options.resume = "";
        assertThatThrownBy(() -> open(environment)).hasMessageContaining("no unfinished run of this machine");
        made.writeInfo(info());
        options.resume = made.path().toString();
        Files.delete(made.path().resolve(Environment.FILE));
        assertThatThrownBy(() -> open(environment)).isInstanceOf(NoSuchFileException.class);
    }

    private RunFolder open(Environment now) throws IOException {
        return new RunFolders(options, notices::add).open(info(), now);
    }

    private Environment changed(String component, String value) throws IOException {
        return Environment.parse(
                environment.toJson().replaceFirst("(\"" + component, "$1" + value), Path.of("env.json"));
    }

    private static RunInfo info() {
        return new RunInfo(
                RunInfo.SCHEMA,
                "run",
                List.of("run"),
                "1.0",
                "abc1234",
                false,
                "2026-03-04T10:00:00Z",
                null,
                "<data>",
                false,
                List.of("count/t1/OURS"),
                3,
                "17",
                null,
                new TreeMap<>());
    }
}
