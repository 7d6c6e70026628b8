package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.BuildCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of the original's protocol, as its facts say them, and whatever else may come in their place. */
class OriginMessageTest {
    /** Second frame of each message, which names the protocol, behind its length. */
    private static final String HEADER = "0000000a" + "43445223525043403031";

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return HexFormat.of().formatHex(copy);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void hasBytes(OriginMessage message, String hex) throws Exception {
        assertThat(hex(message.encode())).isEqualTo(hex);
        assertThat(OriginMessage.decode(bytes(hex))).isEqualTo(message);
    }

    @Test
    void messages_haveTheBytesOfTheOriginal() throws Exception {
        hasBytes(
                new OriginMessage.Register("cider.any.bash"),
                "00000004" + "00000000" + HEADER + "00000001" + "00" + "0000000e" + hex("cider.any.bash"));
        hasBytes(
                new OriginMessage.Unregister("cider.any.bash"),
                "00000004" + "00000000" + HEADER + "00000001" + "01" + "0000000e" + hex("cider.any.bash"));
        hasBytes(
                new OriginMessage.Request("", 0x0102, "cider.x.node", bytes("80"), 3, OriginMessage.NO_TAG),
                "00000008" + "00000000" + HEADER + "00000001" + "02" + "00000002" + "0102" + "0000000c"
                        + hex("cider.x.node") + "00000001" + "80" + "00000002" + "0003" + "00000000");
        hasBytes(
                new OriginMessage.Interrupt("me", 0xffff),
                "00000004" + "00000002" + hex("me") + HEADER + "00000001" + "03" + "00000002" + "ffff");
        hasBytes(
                new OriginMessage.Progress("", 7),
                "00000004" + "00000000" + HEADER + "00000001" + "04" + "00000002" + "0007");
        hasBytes(
                new OriginMessage.StreamFrame("", 0x8000, text("line\n")),
                "00000005" + "00000000" + HEADER + "00000001" + "05" + "00000002" + "8000" + "00000005"
                        + hex("line\n"));
        hasBytes(
                new OriginMessage.Reply("cider#1", 9, 254, bytes("c0")),
                "00000006" + "00000007" + hex("cider#1") + HEADER + "00000001" + "06" + "00000002" + "0009" + "00000001"
                        + "fe" + "00000001" + "c0");
        hasBytes(new OriginMessage.Ping(), "00000003" + "00000000" + HEADER + "00000001" + "07");
        hasBytes(new OriginMessage.Pong(), "00000003" + "00000000" + HEADER + "00000001" + "08");
    }

    @Test
    void arguments_asTheOriginalWritesThem_areRead() throws Exception {
        String repository = "git+ssh://github.com/foo/bar.git#develop"; // 40 bytes: a text of a two-byte length
        String written = "84" + "aa" + hex("repository") + "da0028" + hex(repository) + "a6" + hex("script") + "ad"
                + hex("scripts/build") + "a3" + hex("env") + "92" + "a3" + hex("A=1") + "a5" + hex("B=x=y") + "a4"
                + hex("noop") + "c3";
        BuildArguments arguments = BuildArguments.decode(bytes(written));
        assertThat(arguments)
                .isEqualTo(new BuildArguments(repository, "scripts/build", Map.of("A", "1", "B", "x=y"), true));
        assertThat(arguments.url()).isEqualTo("git+ssh://github.com/foo/bar.git");
        assertThat(arguments.branch()).isEqualTo("develop");
        assertThat(hex(arguments.encode())).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource({"git+file:///r,master", "git+file:///r#,master", "git+file:///r#a/b,a/b", "git+file:///r#a#b,a#b"})
    void branch_isBehindTheHash(String repository, String branch) {
        BuildArguments arguments = new BuildArguments(repository, "s", Map.of(), false);
        assertThat(arguments.branch()).isEqualTo(branch);
        assertThat(arguments.url()).isEqualTo("git+file:///r");
    }

    @Test
    void reply_asTheOriginalWritesIt_isRead() throws Exception {
        String written = "83" + "ac" + hex("pullDuration") + "d3" + "0000000005f5e100" + "ad" + hex("buildDuration")
                + "d3" + "00000000000f4240" + "a5" + hex("error") + "ad" + hex("exit status 3");
        BuildReply reply = BuildReply.decode(bytes(written));
        assertThat(reply).isEqualTo(new BuildReply(Duration.ofMillis(100), Duration.ofMillis(1), "exit status 3"));
        assertThat(reply.exitCode()).isEqualTo(3);
        assertThat(hex(reply.encode())).isEqualTo(written);
        assertThat(BuildReply.failed("signal: killed").exitCode()).isEqualTo(1);
        String unsigned = "81" + "ac" + hex("pullDuration") + "ce" + "05f5e100";
        assertThat(BuildReply.decode(bytes(unsigned)).pull()).isEqualTo(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @CsvSource({
        "cider.any.bash,any,bash",
        "cider.mac.os.x.bash,mac.os.x,bash",
        "cider.any.,,",
        "cider..bash,,",
        "cider.bash,,",
        "paprika.any.bash,,",
        "'',,"
    })
    void method_isLabelAndRunner(String name, String label, String runner) {
        if (label == null) {
            assertThat(BuildMethod.of(name)).isEmpty();
        } else {
            assertThat(BuildMethod.of(name)).contains(new BuildMethod(label, runner));
            assertThat(new BuildMethod(label, runner).toString()).isEqualTo(name);
        }
    }

    @Test
    void codes_ofTheOriginal_areTheirOwnInverse() {
        for (int code : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 254, 255}) {
            assertThat(ReplyCode.of(ReplyCode.toBuildCode(code))).isEqualTo(code);
        }
        for (BuildCode code : BuildCode.values()) {
            assertThat(ReplyCode.of(code)).as(code.name()).isIn(0, 1, 2, 3, 4, 5, 6, 7, 8, 254, 255);
            assertThat(ReplyCode.of(code) == 0).isEqualTo(code == BuildCode.OK);
        }
        assertThat(ReplyCode.toBuildCode(22)).isEqualTo(BuildCode.DISPATCH_FAILED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00000000",
                "7fffffff",
                "ffffffff",
                "00000009",
                "00000003" + "7fffffff",
                "00000003" + "ffffffff" + HEADER + "0000000107",
                "00000003" + "00000000" + "0000000a" + "43445223525043403032" + "0000000107", // CDR#RPC@02
                "00000003" + "00000000" + HEADER + "00000000",
                "00000003" + "00000000" + HEADER + "0000000109",
                "00000003" + "00000000" + HEADER + "000000010700", // a byte more
                "00000003" + "00000000" + HEADER + "0000000100", // no method
                "00000004" + "00000000" + HEADER + "0000000100" + "00000000", // an empty one
                "00000004" + "00000000" + HEADER + "0000000103" + "00000001" + "01", // half a number
                "00000005" + "00000000" + HEADER + "0000000105" + "000000020001" + "00000000", // an empty payload
                "00000006" + "00000000" + HEADER + "0000000106" + "000000020001" + "00000000" + "0000000180"
            })
    void message_malformed_isRefused(String hex) {
        assertThatThrownBy(() -> OriginMessage.decode(bytes(hex))).isInstanceOf(MalformedMessageException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c0",
                "80ff",
                "81",
                "8101c0",
                "dfffffffff",
                "81a3656e76" + "ddffffffff",
                "81a3656e76" + "dbffffffff",
                "81a3656e76" + "91" + "a141",
                "81a3656e76" + "c3",
                "81a4" + "6e6f6f70" + "cb0000000000000000",
                "81a3656e76" + "c1",
                "81a6736372697074" + "a1ff",
                "81a6736372697074" + "01",
                "81a161" + "91919191919191919191919191c0"
            })
    void arguments_malformed_areRefused(String hex) {
        assertThatThrownBy(() -> BuildArguments.decode(bytes(hex))).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void anyBytes_areAMessageOrMalformed() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<ByteBuffer> good = List.of(
                new OriginMessage.Register("cider.any.bash").encode(),
                new OriginMessage.Request(
                                "",
                                1,
                                "cider.any.bash",
                                new BuildArguments("r#b", "s", Map.of("A", "b"), true).encode(),
                                2,
                                3)
                        .encode(),
                new OriginMessage.StreamFrame("p", 1, text("payload")).encode(),
                new OriginMessage.Reply("", 1, 0, BuildReply.failed("why").encode()).encode(),
                new OriginMessage.Ping().encode());
        for (int round = 0; round < 200_000; round++) {
            ByteBuffer from = good.get(random.nextInt(good.size()));
            byte[] bytes = new byte[from.remaining()];
            from.duplicate().get(bytes);
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            ByteBuffer changed =
                    ByteBuffer.wrap(bytes, 0, random.nextInt(5) == 0 ? random.nextInt(bytes.length) : bytes.length);
            try {
                read(changed, random);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed=" + seed + " round=" + round + " bytes=" + hex(changed), e);
            }
        }
    }

    /** Reads all that can be read; each malformed part is another's. */
    private static void read(ByteBuffer bytes, Random random) {
        try {
            OriginMessage message = OriginMessage.decode(bytes);
            assertThat(OriginMessage.decode(message.encode())).isEqualTo(message);
            if (message instanceof OriginMessage.Request request) {
                assertThat(BuildArguments.decode(request.arguments())).isNotNull();
            } else if (message instanceof OriginMessage.Reply reply) {
                assertThat(BuildReply.decode(reply.value())).isNotNull();
            }
        } catch (MalformedMessageException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
        byte[] noise = new byte[random.nextInt(40)];
        random.nextBytes(noise);
        try {
            assertThat(PackReader.map(ByteBuffer.wrap(noise))).isNotNull();
        } catch (MalformedMessageException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
