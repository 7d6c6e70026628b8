package dev.touchstone.builds.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildFiles;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.wire.v1.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Requests and endings survive the wire, and what is none is refused by an exception that names the place. */
class MessagesTest {
    private static final BuildRequest REQUEST = BuildRequest.of("git+ssh://host/r.git", "b\u00e4", "build/it")
            .commit("0123456789")
            .runner("node")
            .label("linux-arm64")
            .environment(Map.of("A", "1", "B", "\u20ac\n"))
            .secret("TOKEN", "hush")
            .output(OutputMode.REDIS)
            .timeout(Duration.ofMinutes(3))
            .queueTimeout(Duration.ofSeconds(9))
            .maxLogBytes(5)
            .files(BuildFiles.NONE
                    .withArtefact("target/*.{jar,war}")
                    .withAlways(true)
                    .withCache("m2", "~/.m2/repository"))
            .build();
    private static final Ending ENDING =
            new Ending(BuildCode.SCRIPT_FAILED, -42, "said no", 1, 2, 2, "agent", 1L << 40, true, 3, 1L << 33);

    @Test
    void requestsAndEndings_overTheWire_areEqual() throws Exception {
        for (OutputMode output : OutputMode.values()) {
            BuildRequest request =
                    BuildRequest.of("git+file:///r", "b", "s").output(output).build();
            assertThat(Requests.of(
                            Wire.Request.parseFrom(Requests.toMessage(request).toByteArray())))
                    .isEqualTo(request);
        }
        assertThat(Requests.of(
                        Wire.Request.parseFrom(Requests.toMessage(REQUEST).toByteArray())))
                .isEqualTo(REQUEST);
        for (BuildCode code : BuildCode.values()) {
            Ending ending = new Ending(code, 42, "said no", 1, 2, 2, "agent", 1L << 40, false);
            assertThat(Ending.of(Wire.Ending.parseFrom(ending.toMessage().toByteArray())))
                    .isEqualTo(ending);
        }
        assertThat(Ending.of(ENDING.toMessage())).isEqualTo(ENDING);
    }

    @Test
    void isNoop_ofBytesOfAnyKind_isTheRequestsOwnOrRefused() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        int noops = 0;
        BuildRequest noop =
                BuildRequest.of("git+file:///r", "b", "s").noop(true).build();
        for (int i = 0; i < 20_000; i++) {
            Message changed = changed(random, Requests.toMessage(i % 2 == 0 ? REQUEST : noop));
            byte[] bytes = changed.toByteArray();
            for (int flips = random.nextInt(3); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Boolean told = null;
            try {
                told = RequestMessage.of(ByteString.copyFrom(bytes)).isNoop();
                BuildRequest request =
                        RequestMessage.of(ByteString.copyFrom(bytes)).request();
                noops += request.noop() ? 1 : 0;
                assertThat(told).as("seed=%d", seed).isEqualTo(request.noop());
            } catch (WireException e) {
                // refused
            }
        }
        assertThat(noops).as("seed=%d", seed).isPositive();
    }

    @Test
    void messages_withAnyValueOfAnyField_areReadOrRefusedAsSuch() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            tryOne(random, Requests.toMessage(REQUEST), Requests::of, seed);
            tryOne(random, ENDING.toMessage(), Ending::of, seed);
        }
    }

    private static <M extends Message> void tryOne(Random random, M message, Function<M, Object> reader, long seed) {
        M bad = changed(random, message);
        try {
            Object unused = reader.apply(bad);
        } catch (WireException e) {
            // refused
        } catch (RuntimeException e) {
            throw new AssertionError("seed=" + seed + " message=" + bad, e);
        }
    }

    @SuppressWarnings("unchecked") // a builder makes what it was made from
    private static <M extends Message> M changed(Random random, M message) {
        Message.Builder builder = message.toBuilder();
        List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
        FieldDescriptor field = fields.get(random.nextInt(fields.size()));
        if (random.nextInt(8) == 0) {
            builder.clearField(field);
        } else if (field.isRepeated()) {
            for (int i = random.nextInt(1_200); i > 0; i--) {
                builder.addRepeatedField(
                        field,
                        Wire.Variable.newBuilder()
                                .setName(random.nextInt(3) == 0 ? text(random) : "A" + random.nextInt(1 << 20))
                                .setValue(text(random))
                                .build());
            }
        } else {
            builder.setField(field, value(random, field));
        }
        return (M) builder.build();
    }

    private static Object value(Random random, FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case INT -> random.nextInt() >> random.nextInt(32);
            case LONG -> random.nextLong() >> random.nextInt(64);
            case BOOLEAN -> random.nextBoolean();
            case MESSAGE ->
                Wire.Files.newBuilder()
                        .addArtefacts(text(random))
                        .addCaches(Wire.Cache.newBuilder().setKey(text(random)).setPath(text(random)))
                        .build();
            case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(9) - 2);
            default -> text(random);
        };
    }

    private static String text(Random random) {
        return random.nextInt(3) == 0
                ? "x".repeat(random.nextInt(10_000))
                : "\u0000\n\ud83d\ude00".repeat(random.nextInt(3));
    }

    @Test
    void refusals_nameTheField() {
        assertThatThrownBy(() -> Requests.of(Requests.toMessage(REQUEST).toBuilder()
                        .setTimeoutMillis(-1)
                        .build()))
                .isInstanceOf(WireException.class)
                .hasMessage("request's timeout: expected=0..9223372036854775807 got=-1");
        assertThatThrownBy(() ->
                        Ending.of(ENDING.toMessage().toBuilder().setCode(200).build()))
                .isInstanceOf(WireException.class)
                .hasMessage("no such code: number=200");
        Wire.Request.Builder outside = Requests.toMessage(REQUEST).toBuilder();
        outside.getFilesBuilder().setArtefacts(0, "../*");
        assertThatThrownBy(() -> Requests.of(outside.build()))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("pattern=\"../*\"");
        outside.getFilesBuilder().setArtefacts(0, "*").getCachesBuilder(0).setPath("/etc");
        assertThatThrownBy(() -> Requests.of(outside.build()))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("cache path=\"/etc\"");
        assertThatThrownBy(() -> Checks.column("rows", List.of(1L, 7L), 2, 0, 5))
                .isInstanceOf(WireException.class)
                .hasMessage("rows row 1: expected=0..5 got=7");
        assertThatThrownBy(() -> Checks.column("rows", List.of(1L), 2, 0, 5))
                .isInstanceOf(WireException.class)
                .hasMessage("rows: expected rows=2 got=1");
    }

    @Test
    void environment_values_areInNoMessageOfAnException() {
        Wire.Request bad = Requests.toMessage(REQUEST).toBuilder()
                .addEnvironment(Wire.Variable.newBuilder().setName("1BAD").setValue("very secret"))
                .build();
        assertThatThrownBy(() -> Requests.of(bad))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("1BAD")
                .hasMessageNotContaining("very secret");
        assertThat(REQUEST.toString()).doesNotContain("hush").contains("TOKEN");
    }

    @Test
    void address_withSecretsOrOtherSchemes_isRefused() {
        assertThat(MasterAddress.parse("builds://host")).isEqualTo(new MasterAddress("host", 7316));
        assertThat(MasterAddress.parse("host:12")).isEqualTo(new MasterAddress("host", 12));
        assertThat(MasterAddress.parse("builds://[::1]:5")).hasToString("builds://[::1]:5");
        for (String bad :
                List.of("ws://host:1/connect", "builds://user:hunter2@host", "builds://host?token=x", "a b")) {
            assertThatThrownBy(() -> MasterAddress.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("hunter2")
                    .hasMessageNotContaining("token=x");
        }
    }
}
