package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ericsson.otp.erlang.OtpConnection;
import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpPeer;
import com.ericsson.otp.erlang.OtpSelf;
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

    /** The real library throws a NullPointerException in the place of the exit. */
    @Test
    void receive_ofAConnectionWhoseLinkedProcessEnds_throwsItsExit() throws Exception {
        try (EpmdServer epmd = EpmdServer.start(0);
                ErlangShell erl = ErlangShell.start("erl@localhost", epmd.port())) {
            assertThat(erl.ask(ErlangProbe.SERVER)).isEqualTo("ok");
            OtpEpmd.useEpmdPort(epmd.port());
            OtpSelf self = new OtpSelf("linked@localhost", ErlangShell.COOKIE);
            OtpConnection connection = self.connect(new OtpPeer("erl@localhost"));
            OtpErlangObject[] request = {self.pid(), new OtpErlangAtom("victim")};
            connection.send("server", new OtpErlangTuple(request));
            OtpErlangPid victim = (OtpErlangPid) connection.receive(20_000);
            connection.link(victim);
            connection.exit(victim, new OtpErlangAtom("over"));
            assertThatThrownBy(() -> connection.receive(20_000)).isInstanceOfSatisfying(OtpErlangExit.class, exit -> {
                assertThat(exit.reason()).isEqualTo(new OtpErlangAtom("over"));
                assertThat(exit.pid()).isEqualTo(victim);
            });
            connection.close();
            assertThatThrownBy(() -> connection.send("server", victim)).isInstanceOf(IOException.class);
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
