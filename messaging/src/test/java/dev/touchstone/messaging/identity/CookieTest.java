package dev.touchstone.messaging.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CookieTest {
    @TempDir
    Path folder;

    @BeforeEach
    void needPermissions() {
        assumeThat(folder.getFileSystem().supportedFileAttributeViews())
                .as("needs a file system with POSIX permissions")
                .contains("posix");
    }

    private Path file(String text, String permissions) throws IOException {
        Path file = folder.resolve("cookie");
        Files.deleteIfExists(file);
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void toString_ofAnyCookie_hidesIt() {
        assertThat(Cookie.of("monster")).hasToString("Cookie[hidden]");
        assertThatThrownBy(() -> Cookie.of("monster\u20ac")).hasMessageNotContaining("monster");
        assertThatThrownBy(() -> Cookie.of("monster".repeat(100))).hasMessageNotContaining("monster");
    }

    @Test
    void updateDigest_ofACookie_addsItsLatin1Bytes() throws NoSuchAlgorithmException {
        MessageDigest expected = MessageDigest.getInstance("MD5");
        expected.update(new byte[] {'k', (byte) 0xe4, 's'});
        MessageDigest got = MessageDigest.getInstance("MD5");
        Cookie.of("käs").updateDigest(got);
        assertThat(got.digest()).isEqualTo(expected.digest());
    }

    @Test
    void equals_sameText_isEqual() {
        assertThat(Cookie.of("a")).isEqualTo(Cookie.of("a")).hasSameHashCodeAs(Cookie.of("a"));
        assertThat(Cookie.of("a")).isNotEqualTo(Cookie.of("b")).isNotEqualTo(Cookie.of(""));
        assertThat(Cookie.of("").isEmpty()).isTrue();
    }

    @Test
    void fromFile_firstLine_isTheCookie() throws IOException {
        assertThat(Cookie.fromFile(file("QWERTY \n other\n", "rw-------"))).isEqualTo(Cookie.of("QWERTY"));
        assertThat(Cookie.fromFile(file("QWERTY", "r--------"))).isEqualTo(Cookie.of("QWERTY"));
    }

    @Test
    void fromFile_thatOthersMayRead_isRefused() throws IOException {
        for (String permissions : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
            Path file = file("QWERTY", permissions);
            assertThatThrownBy(() -> Cookie.fromFile(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("owner")
                    .hasMessageNotContaining("QWERTY");
        }
    }

    @Test
    void fromFile_withoutACookie_isRefused() throws IOException {
        for (String text : new String[] {"", "\n", "  \nQWERTY", "tab\tbed", "x".repeat(256), "x".repeat(100_000)}) {
            Path file = file(text, "rw-------");
            assertThatThrownBy(() -> Cookie.fromFile(file)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void fromFile_thatIsNoFile_isSaidWithItsName() {
        Path absent = folder.resolve("absent");
        assertThatThrownBy(() -> Cookie.fromFile(absent))
                .isInstanceOf(IOException.class)
                .hasMessage("no such cookie file: file=" + absent
                        + "; write the cluster's cookie to it, or check the path");
        assertThatThrownBy(() -> Cookie.fromFile(folder))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cookie file cannot be read: file=" + folder + " cause=");
    }
}
