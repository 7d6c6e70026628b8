package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What our client and any EPMD do together. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class EpmdContract {
    private static final int LIVES = 2_000; // of a node that starts again at once

    abstract InetSocketAddress epmd();

    private EpmdClient client() {
        return new EpmdClient(epmd(), Sockets.TIMEOUT);
    }

    @Test
    void lookup_registeredNode_isAsRegistered() throws Exception {
        EpmdNode visible = EpmdNode.of("visible", 4711, false);
        EpmdNode hidden = new EpmdNode("späher", 65535, true, 5, 6, new byte[] {1, 0, -1});
        try (Registration one = client().register(visible);
                Registration other = client().register(hidden)) {
            assertThat(client().lookup("visible")).contains(visible);
            assertThat(client().lookup("späher")).contains(hidden);
            assertThat(one.isLost()).isFalse();
            assertThat(other.isLost()).isFalse();
        }
    }

    @Test
    void lookup_unknownNode_isEmpty() throws Exception {
        assertThat(client().lookup("nobody")).isEmpty();
        assertThat(client().lookup("no body\n")).isEmpty();
        assertThat(client().lookup("")).isEmpty();
    }

    @Test
    void names_ofTwoNodes_areBoth() throws Exception {
        try (Registration one = client().register(EpmdNode.of("first", 1, false));
                Registration other = client().register(EpmdNode.of("second", 2, false))) {
            assertThat(client().names()).contains(EpmdNode.of("first", 1, false), EpmdNode.of("second", 2, false));
            assertThat(one.creation()).isNotZero();
            assertThat(other.creation()).isNotZero();
        }
    }

    @Test
    void register_nameInUse_isRefusedAndTheFirstStays() throws Exception {
        try (Registration first = client().register(EpmdNode.of("twin", 1, false))) {
            assertThatThrownBy(() -> client().register(EpmdNode.of("twin", 2, false)))
                    .isInstanceOf(EpmdException.Refused.class)
                    .hasMessageContaining("name=twin");
            assertThat(client().lookup("twin"))
                    .hasValueSatisfying(node -> assertThat(node.port()).isEqualTo(1));
            assertThat(first.isLost()).isFalse();
        }
    }

    @Test
    void register_closed_endsWithItsConnection() throws Exception {
        Registration registration = client().register(EpmdNode.of("shortlived", 1, false));
        registration.close();
        assertThat(registration.isLost()).isTrue();
        assertThat(client().lookup("shortlived")).isEmpty();
        client().register(EpmdNode.of("shortlived", 2, false)).close();
    }

    @Test
    void register_again_getsAnotherCreation() throws Exception {
        Set<Integer> creations = new HashSet<>();
        for (int life = 0; life < 5; life++) {
            try (Registration registration = client().register(EpmdNode.of("phoenix", 1, false))) {
                creations.add(registration.creation());
            }
        }
        assertThat(creations).hasSize(5).doesNotContain(0);
    }

    @Test
    void register_atOnceAfterTheNameIsGivenBack_isNeverRefused() throws Exception {
        for (int life = 0; life < LIVES; life++) {
            client().register(EpmdNode.of("restless", 1, false)).close();
        }
        assertThat(client().lookup("restless")).isEmpty();
    }

    @Test
    void close_byAnInterruptedThread_givesTheNameBackAndLeavesItInterrupted() throws Exception {
        for (int life = 0; life < LIVES; life++) {
            Registration registration = client().register(EpmdNode.of("hasty", 1, false));
            Thread.currentThread().interrupt();
            registration.close();
            assertThat(Thread.interrupted()).as("life=%d", life).isTrue();
        }
        assertThat(client().lookup("hasty")).isEmpty();
    }

    @Test
    void register_nodeOfVersion5_getsASmallCreation() throws Exception {
        try (Registration registration = client().register(new EpmdNode("old", 1, false, 5, 5, new byte[0]))) {
            assertThat(registration.creation()).isBetween(1, 3);
        }
    }
}
