package dev.touchstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureMessagesTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoSuchFileException("/a"), "no such file or folder: path=/a; check the path"),
                Arguments.of(
                        new AccessDeniedException("/a"), "permission denied: path=/a; check its owner and permissions"),
                Arguments.of(new NotDirectoryException("/a"), "not a folder: path=/a; give a folder"),
                Arguments.of(
                        new FileAlreadyExistsException("/a"),
                        "exists already: path=/a; move it away or give another path"),
                Arguments.of(
                        new DirectoryNotEmptyException("/a"),
                        "folder is not empty: path=/a; empty it or give another path"),
                Arguments.of(
                        new FileSystemException("/a", null, "No space left on device"),
                        "No space left on device: path=/a"),
                Arguments.of(
                        new FileSystemLoopException("/a"), "file system refused: path=/a type=FileSystemLoopException"),
                Arguments.of(
                        new UnknownHostException("nowhere"),
                        "unknown host: host=nowhere; check the name and the network"),
                Arguments.of(new MalformedInputException(1), "text is not in the expected encoding: Input length = 1"),
                Arguments.of(new EOFException(), "input ended too early"),
                Arguments.of(new IOException(), "unexpected failure: type=IOException"),
                Arguments.of(new IOException("two\n  lines"), "two lines"),
                Arguments.of(
                        new UncheckedIOException(new NoSuchFileException("/a")),
                        "no such file or folder: path=/a; check the path"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void describe_failure_saysWhatFailed(Exception failure, String message) {
        assertThat(FailureMessages.describe(failure)).isEqualTo(message);
    }
}
