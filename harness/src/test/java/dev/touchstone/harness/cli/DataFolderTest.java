package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.env.DataFolderException;
import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.env.EnvironmentProbe;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.fork.Shutdown;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void open_folderWithFiles_privateFolderOfItsOwnAndNothingElseTouched() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("mine"), "kept");
        Path given = Files.createDirectory(folder.resolve("given"));
        Files.createSymbolicLink(given.resolve(".touchstone-data"), outside);
        Files.createSymbolicLink(given.resolve(DataFolder.PREFIX + "1"), outside);
        Path made;
        try (DataFolder data = DataFolder.open(given, new Shutdown())) {
            made = data.path();
            assertThat(made).hasParent(given.toRealPath()).isEmptyDirectory();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
            Files.createSymbolicLink(made.resolve("link"), outside);
            Files.writeString(Files.createDirectory(made.resolve("fork")).resolve("file"), "benchmark's");
        }
        assertThat(made).doesNotExist();
        assertThat(given.toFile().list()).hasSize(2);
        assertThat(outside.resolve("mine")).hasContent("kept");
    }

    @Test
    void open_folderOfARunThatWasKilled_isDeletedAndThoseOfOthersStay() throws IOException {
        Path killed = Files.createDirectories(folder.resolve(DataFolder.PREFIX + "killed/fork"));
        Files.createFile(folder.resolve(DataFolder.PREFIX + "killed.lock"));
        Path unknown = Files.createDirectory(folder.resolve(DataFolder.PREFIX + "unknown"));
        try (DataFolder living = DataFolder.open(folder, new Shutdown());
                DataFolder next = DataFolder.open(folder, new Shutdown())) {
            assertThat(killed.getParent()).doesNotExist();
            assertThat(List.of(unknown, living.path(), next.path()))
                    .allSatisfy(path -> assertThat(path).exists());
        }
        assertThat(folder.toFile().list()).containsExactly(unknown.getFileName().toString());
    }

    @Test
    void open_none_aFolderHereForEachRun() throws IOException {
        DataFolder first = DataFolder.open(null, new Shutdown());
        DataFolder second = DataFolder.open(null, new Shutdown());
        assertThat(first.path())
                .isNotEqualTo(second.path())
                .hasParent(Path.of("").toRealPath());
        first.close();
        assertThat(first.path()).doesNotExist();
        assertThat(second.path()).exists();
        second.close();
        assertThat(second.path()).doesNotExist();
    }

    @Test
    void checkSpace_byProfile_isAFailureNotAMistake() throws IOException {
        try (DataFolder data = DataFolder.open(folder, new Shutdown())) {
            Environment roomy = withFree(Profile.FULL.neededBytes());
            assertThatCode(() -> data.checkSpace(roomy, Profile.FULL)).doesNotThrowAnyException();
            Environment tight = withFree(Profile.FULL.neededBytes() - 1);
            assertThatCode(() -> data.checkSpace(tight, Profile.QUICK)).doesNotThrowAnyException();
            assertThatThrownBy(() -> data.checkSpace(tight, Profile.FULL))
                    .isInstanceOf(DataFolderException.class)
                    .hasMessageStartingWith("data folder " + folder + " has too little space: expected 6.0 GiB free");
        }
    }

    @Test
    void exitCode_dataFolder_mistakesAre2AndFailuresAre4() {
        assertThat(exitCode("Read-only file system")).isEqualTo(ExitCode.USAGE);
        assertThat(exitCode("Permission denied")).isEqualTo(ExitCode.USAGE);
        assertThat(exitCode("No space left on device")).isEqualTo(HarnessExitCode.FAILED);
        assertThat(exitCode("Disk quota exceeded")).isEqualTo(HarnessExitCode.FAILED);
        assertThat(Commands.exitCode(DataFolderException.tooLittleSpace(folder, 2, 1)))
                .isEqualTo(HarnessExitCode.FAILED);
    }

    private int exitCode(String reason) {
        return Commands.exitCode(
                DataFolderException.cannotCreate(folder, new FileSystemException("file", null, reason)));
    }

    private Environment withFree(long bytes) throws IOException {
        String json = EnvironmentProbe.capture(folder).toJson();
        return Environment.parse(json.replaceFirst("(\"freeBytes\" : )[0-9]+", "$1" + bytes), Path.of("env.json"));
    }
}
