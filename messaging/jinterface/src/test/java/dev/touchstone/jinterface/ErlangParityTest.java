package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The drop-in and the real library with a live Erlang node. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErlangParityTest {
    @Test
    void nodes_behaveWithErlangAsThoseOfTheRealLibrary() throws IOException, ReflectiveOperationException {
        try (RealLibrary real = new RealLibrary()) {
            assertThat(RealLibrary.differences(
                            run(port -> new ErlangProbe().apply(port)), run(port -> real.run(ErlangProbe.class, port))))
                    .isEmpty();
        }
    }

    private interface Run {
        List<String> with(int epmdPort) throws ReflectiveOperationException;
    }

    private static List<String> run(Run probe) throws IOException, ReflectiveOperationException {
        try (EpmdServer epmd = EpmdServer.start(0);
                ErlangShell erl = ErlangShell.start("erl@localhost", epmd.port())) {
            assertThat(erl.ask(ErlangProbe.SERVER)).isEqualTo("ok");
            return probe.with(epmd.port());
        }
    }
}
