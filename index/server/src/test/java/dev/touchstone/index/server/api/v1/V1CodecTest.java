package dev.touchstone.index.server.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class V1CodecTest {
    private static final String REQUEST =
            "{\"offeringId\":\"o1\",\"groupId\":\"group0\",\"priceSpecId\":\"MRC\",\"charValues\":"
                    + "[{\"char\":\"colour\",\"value\":\"red\"},{\"value\":\"12\",\"char\":\"term\"}]}";

    private final PriceService service = new PriceService(SamplePrices.index(), Limits.DEFAULT);
    private final Json json = new Json(Limits.DEFAULT);
    private final V1Search search = new V1Search(service, json);
    private final Handler handler = new HandlerFactory(service).handler(Route.V1_BITMAP);
    private final Response answer = new Response();

    private String answer(byte[] request) {
        answer.reset();
        handler.handle(request, 0, request.length, answer);
        return new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The conditions that the fast way reads, in any order; null if it leaves the request to the slow way. */
    private @Nullable String fast(byte[] request) {
        search.query.clear();
        int end = search.fast.read(request, 0, request.length, false, search.query);
        return end == V1Reader.ODD || JsonLexer.skip(request, end, request.length) != request.length ? null : shown();
    }

    /** The conditions that the slow way reads, or why there are none. */
    private String slow(byte[] request) {
        try (JsonParser parser = json.lenient(request, 0, request.length)) {
            parser.nextToken();
            search.readSlow(parser);
            Json.end(parser);
            search.apply();
            return shown();
        } catch (IOException e) {
            return Json.bad(e).text();
        } catch (RequestException e) {
            return e.status() + " " + e.text();
        }
    }

    private String shown() {
        List<String> parts = new ArrayList<>(List.of(search.query.toString().split(", ", -1)));
        Collections.sort(parts);
        return String.join(", ", parts);
    }

    @Test
    void known_requests_areAnswered() {
        assertThat(answer(utf8(REQUEST.replace(",{\"value\":\"12\",\"char\":\"term\"}", "")
                        .replace("o1", "o0"))))
                .startsWith("4 prices match");
        String one = "{\"offeringId\":\"o0\",\"groupId\":\"group0\",\"priceSpecId\":\"MRC\",\"charValues\":"
                + "[{\"char\":\"colour\",\"value\":\"red\"},{\"char\":\"term\",\"value\":\"12\"}]}";
        assertThat(answer(utf8(one)))
                .isEqualTo("{\"id\":\"id-36\",\"spec\":\"MRC\",\"value\":18.0,\"currency\":\"EUR\"}\n");
        assertThat(answer(utf8(one.replace("\"MRC\"", "\"N\\\"R\\u00e9C\""))))
                .isEqualTo("{\"id\":\"id-42\",\"spec\":\"N\\\"R\u00e9C\",\"value\":21.0,\"currency\":\"EUR\"}\n");
    }

    @Test
    void statuses_ofAllKinds() {
        assertThat(status("{\"offeringId\":\"dup\"}")).isEqualTo(409);
        assertThat(status("{\"offeringId\":\"none\"}")).isEqualTo(404);
        assertThat(status("{\"offeringId\":\"dup\",\"charValues\":[{\"char\":\"x\",\"value\":\"y\"}]}"))
                .isEqualTo(404);
        assertThat(status("{\"offeringId\":\"dup\",\"charValues\":[{\"char\":\"term\",\"value\":\"y\"}]}"))
                .isEqualTo(404);
        assertThat(status("{\"offeringId\":5}")).isEqualTo(400);
        assertThat(status("[]")).isEqualTo(400);
        assertThat(status("")).isEqualTo(400);
        assertThat(status("{} {}")).isEqualTo(400);
        assertThat(status("{\"x\":" + "[".repeat(10_000))).isEqualTo(400);
        assertThat(answer(utf8("{\"offeringId\":\"a\",\n \"groupId\":x}"))).contains("line 2, column");
    }

    private int status(String request) {
        answer(utf8(request));
        return answer.status();
    }

    @Test
    void fastAndSlow_onRandomAndOddRequests_readTheSame() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        int fast = 0;
        for (int i = 0; i < 2000; i++) {
            byte[] request = utf8(request(random));
            if (random.nextInt(4) == 0 && request.length > 0) {
                request[random.nextInt(request.length)] = (byte) random.nextInt(256);
            }
            String read = fast(request);
            if (read != null) {
                fast++;
                assertThat(read)
                        .as("-Dseed=%d request %s", seed, new String(request, StandardCharsets.UTF_8))
                        .isEqualTo(slow(request));
            }
        }
        assertThat(fast).as("-Dseed=%d", seed).isGreaterThan(200);
    }

    private static String request(Random random) {
        String space =
                random.nextInt(4) == 0 ? List.of(" ", "\n", "\t", "\r\n ").get(random.nextInt(4)) : "";
        List<String> members = new ArrayList<>();
        if (random.nextInt(5) > 0) {
            members.add("\"offeringId\":" + space + text(random, "o0", "o1", "dup", "", "x"));
        }
        if (random.nextInt(3) > 0) {
            members.add("\"groupId\"" + space + ":" + text(random, "group0", "group1", "", "group9"));
        }
        if (random.nextInt(3) > 0) {
            members.add("\"priceSpecId\":" + text(random, "MRC", "NRC", "", "N\\\"R\u00e9C"));
        }
        if (random.nextInt(8) > 0) {
            List<String> values = new ArrayList<>();
            for (int n = random.nextInt(4); n > 0; n--) {
                String name = "\"char\":" + text(random, "colour", "colour", "group", "term", "c\\u006flour");
                String value = "\"value\":" + text(random, "red", "green", "12", "blau gr\u00fcn", "\\ud83d");
                values.add(
                        random.nextBoolean() ? "{" + name + "," + value + "}" : "{" + value + space + "," + name + "}");
            }
            members.add("\"charValues\":[" + space + String.join(space + ",", values) + "]");
        }
        if (random.nextInt(10) == 0) {
            members.add("\"other\":{\"a\":[1,2]}");
        }
        if (random.nextInt(10) == 0 && !members.isEmpty()) {
            members.add(members.get(0));
        }
        Collections.shuffle(members, random);
        return space + "{" + String.join(space + ",", members) + "}" + space;
    }

    private static String text(Random random, String... choices) {
        return "\"" + choices[random.nextInt(choices.length)] + "\"";
    }

    @Test
    void truncatedAndChangedRequests_neverFail() {
        byte[] request = utf8(REQUEST);
        for (int length = 0; length < request.length; length++) {
            assertThat(status(new String(request, 0, length, StandardCharsets.UTF_8)))
                    .isEqualTo(400);
        }
        byte[] odd = {0, '"', '\\', '{', '}', '[', ']', ',', ':', ' ', 'x', '0', (byte) 0xC3, (byte) 0xFF};
        for (int at = 0; at < request.length; at++) {
            for (byte other : odd) {
                byte[] changed = request.clone();
                changed[at] = other;
                answer(changed);
                assertThat(answer.status()).isIn(200, 400, 404, 409);
                String read = fast(changed);
                if (read != null) {
                    assertThat(read).isEqualTo(slow(changed));
                }
            }
        }
    }

    @Test
    void numbers_areWrittenAsTheyAre() {
        long[] unscaled = {
            0, 1, -1, 9, 10, 99, 100, 12345, -12345, 999_999_999_999_999_999L, Long.MAX_VALUE, Long.MIN_VALUE
        };
        for (long number : unscaled) {
            for (int scale = 0; scale <= 18; scale++) {
                answer.reset();
                answer.decimal(number, scale);
                assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.US_ASCII))
                        .isEqualTo(BigDecimal.valueOf(number, scale).toPlainString());
            }
        }
    }

    @Test
    void uuid_isWrittenAsJavaWritesIt() {
        UUID id = new UUID(0x0123456789abcdefL, 0xfedcba9876543210L);
        answer.reset();
        answer.uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
        assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.US_ASCII))
                .isEqualTo(id.toString());
    }
}
