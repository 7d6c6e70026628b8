package dev.touchstone.index.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TlsIdentityTest {
    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void needPermissions() {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
    }

    @Test
    void identity_ofEachAlgorithm_isReadAndHidesItsKey() throws Exception {
        for (String algorithm : new String[] {"RSA", "EC", "Ed25519"}) {
            TestIdentity files = TestIdentity.create(folder, algorithm);
            TlsIdentity identity = TlsIdentity.fromFiles(files.certificate(), files.key());
            assertThat(identity.chain()).hasSize(1);
            assertThat(identity).hasToString("TlsIdentity[CN=localhost]");
        }
    }

    @Test
    void key_ofAnotherCertificate_isRefusedWithBothFiles() throws Exception {
        TestIdentity one = TestIdentity.create(folder, "EC");
        TestIdentity other = TestIdentity.create(Files.createDirectory(folder.resolve("other")), "EC");
        assertThatThrownBy(() -> TlsIdentity.fromFiles(one.certificate(), other.key()))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("tls-key=" + other.key() + " tls-certificate=" + one.certificate());
        TestIdentity rsa = TestIdentity.create(folder, "RSA");
        assertThatThrownBy(() -> TlsIdentity.fromFiles(rsa.certificate(), one.key()))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("expected algorithm=RSA");
    }

    @Test
    void file_thatIsNone_isRefusedWithItsName() throws Exception {
        TestIdentity files = TestIdentity.create(folder, "EC");
        Path empty = Files.writeString(folder.resolve("empty"), "");
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> TlsIdentity.fromFiles(none, files.key()))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("no such file: tls-certificate=" + none);
        assertThatThrownBy(() -> TlsIdentity.fromFiles(empty, files.key()))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("tls-certificate=" + empty);
        assertThatThrownBy(() -> TlsIdentity.fromFiles(files.key(), files.key()))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("tls-certificate=" + files.key());
        Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("rw-------"));
        assertThatThrownBy(() -> TlsIdentity.fromFiles(files.certificate(), empty))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("file has no private key: tls-key=" + empty);
        Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> TlsIdentity.fromFiles(files.certificate(), files.key()))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("tls-key=" + files.key() + " permissions=rw-r--r--");
    }
}
