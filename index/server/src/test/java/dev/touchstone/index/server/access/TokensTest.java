package dev.touchstone.index.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.server.api.Route.Role;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensTest {
    private static final String FIRST = "0123456789abcdef";
    private static final String SECOND = "abcdef.~_-+/0123456789==";

    @TempDir
    Path folder = Path.of("");

    private Path file;

    @BeforeEach
    void create() throws IOException {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
        file = Files.createFile(
                folder.resolve("tokens"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private Tokens tokens(String text) throws IOException {
        return Tokens.fromFile(Files.writeString(file, text));
    }

    @Test
    void file_ofRolesAndTokens_givesEachTokenItsRoles() throws IOException {
        Tokens tokens = tokens("# roles token\n\nsearch,update " + FIRST + "\r\n  admin\t" + SECOND + "  \n");

        assertThat(tokens.roles(FIRST)).containsExactlyInAnyOrder(Role.SEARCH, Role.UPDATE);
        assertThat(tokens.roles(SECOND)).containsExactly(Role.ADMIN);
        assertThat(tokens.roles(FIRST + "0")).isEmpty();
        assertThat(tokens.roles("")).isEmpty();
        assertThat(tokens.isEmpty()).isFalse();
        assertThat(tokens).hasToString("Tokens[2 hidden]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "rw-r-----|permissions=rw-r-----; change them with chmod 600",
                "rw----r--|permissions=rw----r--",
                "rw-----w-|permissions=rw-----w-"
            })
    void file_accessibleByOthers_isRefused(String permissions, String message) throws IOException {
        Files.writeString(file, "search " + FIRST);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));

        assertThatThrownBy(() -> Tokens.fromFile(file))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("tokens=" + file)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|file has no tokens",
                "'# nothing'|file has no tokens",
                "'search'|line=1 words=1",
                "'search a b'|line=1 words=3",
                "'search short'|line=1 characters=5; expected 16..512",
                "'search 0123456789abcd\u00e9f'|line=1 characters=16",
                "'anyone 0123456789abcdef'|no such role",
                "'Search 0123456789abcdef'|no such role",
                "'search, 0123456789abcdef'|no such role",
                "'0123456789abcdef search'|cannot be used",
            })
    void file_thatHasNoTokens_isRefusedWithThePlaceAndWithoutSecrets(String text, String message) {
        assertThatThrownBy(() -> tokens(text))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("tokens=" + file)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("0123456789");
    }

    @Test
    void file_missingTooLargeOrWithATokenTwice_isRefused() {
        assertThatThrownBy(() -> Tokens.fromFile(folder.resolve("none")))
                .isInstanceOf(AccessException.class)
                .hasMessage("no such file: tokens=" + folder.resolve("none") + "; check the path");
        assertThatThrownBy(() -> tokens("#".repeat((1 << 20) + 1)))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("max=1048576 bytes");
        assertThatThrownBy(() -> tokens("search " + FIRST + "\nupdate " + FIRST))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("line=2");
        String many =
                IntStream.range(0, 65).mapToObj(i -> "search " + FIRST + i).collect(Collectors.joining("\n"));
        assertThatThrownBy(() -> tokens(many))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("max=64");
    }
}
