package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateHostsTest {
    private static final List<String> NAMES =
            List.of("one.example", "*.many.example", "127.0.0.1", "0:0:0:0:0:0:0:1", "*", "*.");

    @Test
    void contain_namesAndAddresses_areFound() {
        assertThat(List.of("one.example", "ONE.example", "a.many.example", "A.Many.Example", "127.0.0.1", "::1"))
                .allMatch(host -> CertificateHosts.contain(NAMES, host));
    }

    @Test
    void contain_others_areNotFound() {
        assertThat(List.of(
                        "two.example",
                        "one.example.org",
                        "many.example",
                        "a.b.many.example",
                        "127.0.0.2",
                        "::2",
                        "x",
                        ""))
                .noneMatch(host -> CertificateHosts.contain(NAMES, host));
        assertThat(CertificateHosts.contain(List.of(), "one.example")).isFalse();
    }

    @Test
    void isAddress_ofAddressesOnly_isTrue() {
        assertThat(List.of("127.0.0.1", "::1", "fe80::1%eth0")).allMatch(CertificateHosts::isAddress);
        assertThat(List.of("localhost", "a1", "1a.example")).noneMatch(CertificateHosts::isAddress);
    }
}
