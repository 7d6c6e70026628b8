package dev.touchstone.index.server.access;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    private final Access access = Access.DEFAULT.withHosts(Set.of("Prices.example", "fe80::5"));

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "LOCALHOST:8080, true",
        "127.0.0.1:1, true",
        "[::1]:80, true",
        "[::1], true",
        "prices.example:443, true",
        "PRICES.EXAMPLE, true",
        "[fe80::5]:80, true",
        "192.0.2.7:80, true",
        "'', false",
        "evil.example, false",
        "evil.example:80, false",
        "localhost.evil.example, false",
        "prices.example.evil, false",
        "localhost:80@evil.example, false",
        "localhost:80:80, false",
        "localhost: 80, false",
        ":80, false",
        "[::1, false",
        "[::1]evil, false",
        "[evil.example], false",
        "192.0.2.8, false",
        "3221225991, false",
        "0xc0000207, false",
    })
    void host_isOneOfTheServiceOnly(String host, boolean isAllowed) throws UnknownHostException {
        assertThat(access.isHost(host, InetAddress.getByName("192.0.2.7"))).isEqualTo(isAllowed);
    }

    @Test
    void host_ofIpv6_isTheAddressAtWhichTheRequestArrived() throws UnknownHostException {
        InetAddress local = InetAddress.getByName("2001:db8::7");
        assertThat(access.isHost("[2001:DB8:0::7]:80", local)).isTrue();
        assertThat(access.isHost("[2001:db8::8]:80", local)).isFalse();
        assertThat(access.isHost("[:::::]:80", local)).isFalse();
        assertThat(access.isHost("192.0.2.7", null)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:80", "a b", "http://a", "-a", "a/b", "[x]"})
    void hostName_thatIsNone_isRefused(String name) {
        assertThatThrownBy(() -> Access.DEFAULT.withHosts(Set.of(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name='" + name + "'");
    }

    @Test
    void origin_isComparedAsAWhole() {
        Access pages = access.withOrigins(Set.of("https://shop.example", "http://localhost:3000"));

        assertThat(pages.isOrigin("https://shop.example")).isTrue();
        assertThat(pages.isOrigin("http://localhost:3000")).isTrue();
        assertThat(pages.isOrigin("http://shop.example")).isFalse();
        assertThat(pages.isOrigin("https://shop.example:8443")).isFalse();
        assertThat(pages.isOrigin("https://shop.example.evil")).isFalse();
        assertThat(pages.isOrigin("null")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "null",
                "",
                "shop.example",
                "https://shop.example/",
                "https://a@b.example",
                "ftp://a",
                "https://Shop.example"
            })
    void origin_thatIsNone_isRefused(String origin) {
        assertThatThrownBy(() -> access.withOrigins(Set.of(origin)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("origin='" + origin + "'");
    }

    @Test
    void address_beyondThisMachine_needsTokensAndTls() {
        for (String loopback : new String[] {"127.0.0.1", "127.9.9.9", "::1", "localhost"}) {
            assertThatCode(() -> access.checkAddress(loopback, false)).doesNotThrowAnyException();
        }
        for (String beyond : new String[] {"0.0.0.0", "::", "192.0.2.7"}) {
            for (boolean isTls : new boolean[] {false, true}) {
                assertThatThrownBy(() -> access.checkAddress(beyond, isTls))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("host=" + beyond + " tokens=none tls=" + (isTls ? "given" : "none"))
                        .hasMessageContaining("--insecure");
                assertThatCode(() -> access.withExposure(true).checkAddress(beyond, isTls))
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void client_isTheTokenHoweverItIsWritten_orElseTheAddress(@TempDir Path folder) throws Exception {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
        Path file = Files.createFile(
                folder.resolve("tokens"), PosixFilePermissions.asFileAttribute(EnumSet.of(OWNER_READ, OWNER_WRITE)));
        Files.writeString(file, "search 0123456789abcdef\nsearch fedcba9876543210\n");
        Access withTokens = access.withTokens(Tokens.fromFile(file));
        InetSocketAddress here = new InetSocketAddress(InetAddress.getByName("192.0.2.7"), 1);
        InetSocketAddress other = new InetSocketAddress(InetAddress.getByName("192.0.2.7"), 2);
        Object first = withTokens.client("Bearer 0123456789abcdef", here);
        assertThat(withTokens.client("bearer   0123456789abcdef ", null)).isEqualTo(first);
        assertThat(withTokens.client("Bearer fedcba9876543210", here)).isNotEqualTo(first);
        assertThat(first.toString()).doesNotContain("0123456789abcdef");
        for (String unknown : new String[] {null, "", "Bearer", "Bearer x", "Basic 0123456789abcdef"}) {
            assertThat(withTokens.client(unknown, here)).isEqualTo(here.getAddress());
        }
        assertThat(access.client("Bearer 0123456789abcdef", other)).isEqualTo(here.getAddress());
        assertThat(access.client(null, null)).isEqualTo(access.client("x", null));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.8, false",
        "192.0.2.7, 127.0.0.1, false",
        "127.0.0.1, 127.9.9.9, true",
        "127.0.0.1, ::1, true",
        "2001:db8:0:1::7, 2001:db8:0:1:ffff::8, true",
        "2001:db8:0:1::7, 2001:db8:0:2::7, false",
        "2001:db8:0:1::7, 192.0.2.7, false",
        "::7, 127.0.0.1, false",
        "::ffff:192.0.2.7, 192.0.2.7, true",
    })
    void client_withoutATokenIsTheNetworkThatOneMachineMayHave(String one, String other, boolean isSame)
            throws Exception {
        Object first = access.client(null, new InetSocketAddress(InetAddress.getByName(one), 1));
        Object second = access.client(null, new InetSocketAddress(InetAddress.getByName(other), 2));
        assertThat(first.equals(second)).isEqualTo(isSame);
        assertThat(first.equals(access.client(null, null))).isFalse();
    }
}
