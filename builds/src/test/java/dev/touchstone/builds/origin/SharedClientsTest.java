package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.touchstone.builds.Site;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Security;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how long the guests of a token have one connection; nothing connects here. */
class SharedClientsTest {
    private static final Caller CALLER = new Caller("ada", Set.of(), "0".repeat(64));

    private final SharedClients clients = new SharedClients(new OriginOptions(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new MasterAddress("127.0.0.1", 1),
            Admission.of(new Security(Site.TOKEN, Optional.empty(), Duration.ofSeconds(8))),
            Path.of("unused"),
            1));

    @Test
    void take_byTwoGuests_isOneConnection_untilBothHaveReleasedIt() {
        SharedClients.Shared first = clients.take(CALLER, Site.TOKEN);
        assertThat(clients.take(CALLER, Site.TOKEN)).isSameAs(first);
        clients.release(CALLER, first);
        assertThat(clients.take(CALLER, Site.TOKEN)).isSameAs(first);
        clients.release(CALLER, first);
        clients.release(CALLER, first);
        assertThat(clients.take(CALLER, Site.TOKEN)).isNotSameAs(first);
        clients.close();
    }

    @Test
    void release_behindClose_doesNothing() {
        SharedClients.Shared shared = clients.take(CALLER, Site.TOKEN);
        clients.close();
        assertThatCode(() -> clients.release(CALLER, shared)).doesNotThrowAnyException();
    }
}
