package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.wire.Security;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that do not show the token take little of the master, whatever they send. */
@Timeout(300)
class StrangersTest {

    @TempDir
    Path folder;

    private Master master(Duration tick) throws IOException {
        return Master.start(MasterOptions.of(folder, new Security(Site.TOKEN, Optional.empty(), tick)));
    }

    private static void checkAnswers(int port) throws Exception {
        try (BuildClient client = BuildClientFactory.connect(Site.options(port))) {
            Build build = client.submit(Site.request().build());
            assertThat(Logs.end(build.accepted())).isNotEmpty();
        }
    }

    private static void closeAll(List<RawHttp2> connections) throws IOException {
        for (RawHttp2 connection : connections) {
            connection.close();
        }
    }

    private static long closed(List<RawHttp2> connections) throws IOException {
        long closed = 0;
        for (RawHttp2 connection : connections) {
            closed += connection.isClosed() ? 1 : 0;
        }
        return closed;
    }

    @Test
    void headerBlock_withoutEnd_endsItsConnectionOnly() throws Exception {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        while (fields.size() < 16_000) {
            RawHttp2.field(fields, "x", "y");
        }
        try (MasterProcess master = new MasterProcess(folder, List.of("-Xmx64m"), List.of());
                RawHttp2 stranger = new RawHttp2(master.port())) {
            stranger.begin();
            stranger.send(RawHttp2.HEADERS, 0, 1, RawHttp2.call("wrong"));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            stranger.send(RawHttp2.CONTINUATION, 0, 1, fields.toByteArray());
                        }
                    })
                    .isInstanceOf(IOException.class);
            checkAnswers(master.port());
        }
    }

    @Test
    void connections_thatTakeAllDescriptors_areForgottenOnceTheyEnd() throws Exception {
        List<String> limited = List.of("bash", "-c", "ulimit -n 250; exec \"$@\"", "bash");
        List<String> arguments = List.of(
                "master",
                "--folder",
                folder.resolve("m").toString(),
                "--port",
                "0",
                "--token-file",
                CommandProcess.tokenFile(folder).toString());
        List<RawHttp2> strangers = new ArrayList<>();
        try (CommandProcess master = new CommandProcess(
                limited, System.getProperty("java.class.path"), List.of("-Xmx64m"), arguments, folder.resolve("err"))) {
            int port = Integer.parseInt(master.ready().substring(master.ready().lastIndexOf(':') + 1));
            for (int i = 0; i < 250; i++) {
                strangers.add(new RawHttp2(port));
            }
            closeAll(strangers);
            checkAnswers(port);
        } finally {
            closeAll(strangers);
        }
    }

    @Test
    void connections_thatSayNothing_makeRoomForOthers() throws Exception {
        List<RawHttp2> strangers = new ArrayList<>();
        try (Master master = master(Duration.ofHours(1))) {
            for (int i = 0; i < 300; i++) {
                strangers.add(new RawHttp2(master.port()));
            }
            Until.isTrue("the oldest are closed", () -> closed(strangers) == 44);
            checkAnswers(master.port());
            assertThat(closed(strangers)).isEqualTo(45);
        } finally {
            closeAll(strangers);
        }
    }

    @Test
    void connection_thatAnswersPingsOnly_isClosed() throws Exception {
        try (Master master = master(Duration.ofSeconds(1));
                RawHttp2 stranger = new RawHttp2(master.port())) {
            stranger.begin();
            Until.isTrue("it is closed", stranger::isClosed);
        }
    }

    @Test
    void calls_withWrongTokens_endTheirConnection() throws Exception {
        try (Master master = master(Duration.ofHours(1));
                RawHttp2 stranger = new RawHttp2(master.port())) {
            stranger.begin();
            for (int call = 0; call < 15; call++) {
                stranger.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 2 * call + 1, RawHttp2.call("wrong" + call));
            }
            assertThat(stranger.isClosed()).isFalse();
            stranger.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 31, RawHttp2.call("wrong"));
            Until.isTrue("it is closed", stranger::isClosed);
        }
    }

    @Test
    void calls_thatTheTransportRefuses_endTheirConnection() throws Exception {
        try (Master master = master(Duration.ofHours(1));
                RawHttp2 stranger = new RawHttp2(master.port())) {
            stranger.begin();
            for (int call = 0; call < 16; call++) {
                stranger.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 2 * call + 1, noMethod());
            }
            assertThat(stranger.isClosed()).isFalse();
            stranger.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 33, noMethod());
            Until.isTrue("it is closed", stranger::isClosed);
            checkAnswers(master.port());
        }
    }

    @Test
    void calls_thatTheTransportRefuses_endAConnectionWithTheTokenToo() throws Exception {
        try (Master master = master(Duration.ofHours(1));
                RawHttp2 guest = new RawHttp2(master.port())) {
            guest.begin();
            checkHealth(guest, 1);
            for (int stream = 3; stream < 129; stream += 2) {
                guest.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, noMethod());
                guest.awaitHeaders(stream);
            }
            checkHealth(guest, 129); // the 64th that has not come through, for a moment
            guest.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 131, noMethod());
            guest.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 133, noMethod());
            Until.isTrue("it is closed", guest::isClosed);
        }
    }

    private static void checkHealth(RawHttp2 guest, int stream) throws IOException {
        byte[] call = RawHttp2.call("/grpc.health.v1.Health/Check", Site.TOKEN.text());
        guest.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, call);
        guest.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, new byte[5]);
        guest.awaitHeaders(stream);
    }

    private static byte[] noMethod() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x83); // POST
        block.write(0x86); // http
        RawHttp2.field(block, ":path", "/no.Service/Method");
        RawHttp2.field(block, "content-type", "application/grpc");
        RawHttp2.field(block, "te", "trailers");
        return block.toByteArray();
    }

    @Test
    void frames_withoutData_endTheirConnection() throws Exception {
        try (Master master = master(Duration.ofHours(1));
                RawHttp2 stranger = new RawHttp2(master.port())) {
            stranger.begin();
            for (int i = 0; i < 900; i++) {
                stranger.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
            }
            assertThat(stranger.isClosed()).isFalse();
            for (int i = 0; i < 101 && !stranger.isClosed(); i++) {
                try {
                    stranger.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
                } catch (IOException e) {
                    assertThat(i).isPositive(); // the connection was reset
                }
            }
            Until.isTrue("it is closed", stranger::isClosed);
        }
    }
}
