package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.Client.get;
import static dev.touchstone.index.server.http.Client.post;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.index.Plan;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds the served description of the routes and the service to each other, in both directions. */
@Timeout(120)
class OpenApiTest {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private static final List<String> WORDS = List.of("o0", "o1", "dup", "red", "group0", "MRC", "", "x");
    private static final int DOCUMENTS = 300; // for each route
    private static final int MAX_BODY = 20_000;
    private static final int MAX_BULK_BODY = 1 << 20;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private HttpServer server = start(SamplePrices.index());
    private JsonNode document = JSON.nullNode();
    private JsonSchema schemas = new JsonSchema(document, random, WORDS);

    private static HttpServer start(PriceIndex index) {
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withTimes(new HttpOptions.Times(
                        Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ZERO, Duration.ofSeconds(30)));
        try {
            return HttpServer.start(new PriceService(index, new Limits(MAX_BODY, MAX_BULK_BODY, 50, 8, 32)), options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void load() throws IOException {
        try (Client client = client()) {
            document = JSON.readTree(client.ask(get("/openapi.json")).body());
        }
        schemas = new JsonSchema(document, random, WORDS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Client client() throws IOException {
        return new Client(server.address());
    }

    private static String path(Route route) {
        return route.path().replace("{offering}", "dup").replace("{id}", "1");
    }

    private JsonNode operation(Route route) {
        return document.get("paths").get(route.path()).get(route.method().toLowerCase(Locale.ROOT));
    }

    private static JsonNode schema(JsonNode content) {
        return content.properties().iterator().next().getValue().get("schema");
    }

    private String body(JsonNode value) throws IOException {
        ObjectWriter writer = JSON.writer();
        return (random.nextInt(4) == 0 ? writer.with(JsonWriteFeature.ESCAPE_NON_ASCII) : writer)
                .writeValueAsString(value);
    }

    /** Returns a document of at most the size that a route takes; those above it are refused unread. */
    private JsonNode drawn(Route route, Supplier<JsonNode> documents) throws IOException {
        int limit = (route.isBulk() ? MAX_BULK_BODY : MAX_BODY) - 1_000; // leaves room for a cursor
        ObjectWriter longest = JSON.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
        JsonNode document = documents.get();
        while (longest.writeValueAsBytes(document).length > limit) {
            document = documents.get();
        }
        return document;
    }

    /** Checks that an answer is one that the description of its route has. */
    private void check(Route route, String request, Reply response) throws IOException {
        String what =
                "-Dseed=" + seed + " " + route + " " + response.status() + "\n" + request + "\n" + response.body();
        JsonNode described = schemas.resolved(operation(route).get("responses").path("" + response.status()));
        assertThat(described.isMissingNode()).as(what).isFalse();
        String type = response.headers().getOrDefault("content-type", "").replaceAll(";.*", "");
        JsonNode schema = described.path("content").path(type).path("schema");
        assertThat(schema.isMissingNode()).as("%s of type %s", what, type).isFalse();
        JsonNode body = type.endsWith("/json") ? JSON.readTree(response.body()) : JSON.valueToTree(response.body());
        assertThat(schemas.faults(schema, body)).as(what).isEmpty();
        boolean isVersioned = described.path("headers").has("ETag");
        if (isVersioned && response.status() == 200) {
            assertThat(response.headers()).as(what).containsKeys("etag", "x-index-version");
        } else if (!isVersioned) {
            assertThat(response.headers()).as(what).doesNotContainKey("etag");
        }
    }

    private Reply ask(String request) throws IOException {
        try (Client client = client()) {
            return client.ask(request);
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void documents_thatTheSchemaAccepts_areAnswered(Route route) throws IOException {
        try (Client client = client()) {
            if (route.method().equals("GET")) {
                Reply response = client.ask(get(path(route)));
                assertThat(response.status()).isEqualTo(200);
                check(route, "", response);
                return;
            }
            JsonNode schema = schema(operation(route).get("requestBody").get("content"));
            Set<Integer> statuses = new TreeSet<>();
            int followed = 0;
            for (int i = 0; i < DOCUMENTS; i++) {
                JsonNode accepted = drawn(route, () -> schemas.accepted(schema));
                if (route == Route.SEARCH_PAGE) {
                    ((ObjectNode) accepted).remove("cursor"); // that of another page is refused
                }
                String body = route == Route.V5_BITMAP_BULK ? lines() : body(accepted);
                Reply response = client.ask(post(route.path(), body));
                check(route, body, response);
                if (route == Route.SEARCH_PAGE && JSON.readTree(response.body()).has("next")) {
                    ((ObjectNode) accepted)
                            .set("cursor", JSON.readTree(response.body()).get("next"));
                    body = body(accepted);
                    response = client.ask(post(route.path(), body));
                    check(route, body, response);
                    followed++;
                }
                if (route == Route.V5_BITMAP_BULK) {
                    checkLines(body, response.body());
                }
                if (route == Route.SEARCH_ALL) {
                    for (String line : response.body().lines().toList()) {
                        assertThat(schemas.faults(document.at("/components/schemas/Price"), JSON.readTree(line)))
                                .as(line)
                                .isEmpty();
                    }
                }
                assertThat(response.status())
                        .as("-Dseed=%d %s %s", seed, body, response.body())
                        .isIn(200, 404, 409);
                statuses.add(response.status());
            }
            assertThat(statuses).as("-Dseed=%d", seed).contains(isSingle(route) ? 404 : 200);
            assertThat(followed > 0).as("-Dseed=%d", seed).isEqualTo(route == Route.SEARCH_PAGE);
        }
    }

    private String lines() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int left = random.nextInt(4); left > 0; left--) {
            lines.append(body(schemas.accepted(document.at("/components/schemas/V1Item"))))
                    .append('\n');
        }
        return lines.toString();
    }

    private void checkLines(String request, String answer) throws IOException {
        assertThat(answer.lines().count()).isEqualTo(request.lines().count());
        for (String line : answer.lines().toList()) {
            assertThat(schemas.faults(document.at("/components/schemas/V1Answer"), JSON.readTree(line)))
                    .as("-Dseed=%d %s", seed, line)
                    .isEmpty();
        }
    }

    private static boolean isAnsweredByItem(Route route) {
        return route == Route.SEARCH_BULK || route == Route.EXPLAIN_BULK;
    }

    private static boolean isSingle(Route route) {
        return route == Route.V1_BITMAP || route == Route.V1_MAP || route == Route.SEARCH;
    }

    @ParameterizedTest
    @EnumSource(
            value = Route.class,
            names = {"V5_BITMAP_BULK"}, // accepts any text
            mode = EnumSource.Mode.EXCLUDE)
    void documents_thatTheSchemaRefuses_areRefused(Route route) throws IOException {
        if (route.method().equals("GET")) {
            return;
        }
        JsonNode schema = schema(operation(route).get("requestBody").get("content"));
        Set<String> broken = new TreeSet<>();
        try (Client client = client()) {
            for (int i = 0; i < DOCUMENTS; i++) {
                JsonNode refused =
                        drawn(route, () -> Objects.requireNonNull(schemas.refused(schema), "nothing is refused"));
                String body = body(refused);
                Reply response = client.ask(post(route.path(), body));
                check(route, body, response);
                assertThat(response.status())
                        .as("-Dseed=%d %s %s %s", seed, body, schemas.faults(schema, refused), response.body())
                        .isIn(isAnsweredByItem(route) ? List.of(400, 413) : List.of(400, 422)); // 413: long answer
                schemas.faults(schema, refused).forEach(fault -> broken.add(fault.substring(0, fault.indexOf(' '))));
            }
        }
        assertThat(broken).as("-Dseed=%d", seed).contains("type", "maxItems");
        if (route == Route.SEARCH) {
            assertThat(broken).contains("required", "additionalProperties", "enum", "minimum", "maximum", "pattern");
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void routes_areDescribedWithAllStatuses(Route route) {
        JsonNode operation = operation(route);
        assertThat(operation.get("operationId").isTextual()).isTrue();
        assertThat(operation.has("requestBody")).isEqualTo(route.method().equals("POST"));
        for (String status : List.of("200", "400", "408", "413", "414", "415", "417", "431", "500", "503")) {
            assertThat(operation.get("responses").has(status)).as(status).isTrue();
        }
        JsonNode request = operation.path("requestBody").path("content");
        if (!request.isEmpty()) {
            JsonNode list = schemas.resolved(schema(request));
            boolean isList = list.path("type").asText().equals("array");
            assertThat(!isList || list.get("maxItems").intValue() == 50).isTrue();
            assertThat(operation.at("/requestBody/description").textValue())
                    .contains((route.isBulk() ? MAX_BULK_BODY : MAX_BODY) + " bytes");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "413,content-length: 2000000",
        "415,content-encoding: gzip",
        "417,expect: sense",
        "431,x: LONG",
    })
    void refusals_ofTheHead_areDescribed(int status, String header) throws IOException {
        for (Route route : Route.values()) {
            try (Client client = client()) {
                String head = route.method() + " " + path(route)
                        + " HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                        + header.replace("LONG", "y".repeat(100_000)) + "\r\n\r\n";
                Reply response = client.ask(head);
                assertThat(response.status()).as("%s", route).isEqualTo(status);
                check(route, head, response);
            }
        }
    }

    @Test
    void refusals_ofTheFirstLine_areDescribed() throws IOException {
        Reply noHost = ask("GET /health HTTP/1.1\r\n\r\n");
        assertThat(noHost.status()).isEqualTo(400);
        check(Route.HEALTH, "", noHost);
        Reply otherHost = ask("GET /health HTTP/1.1\r\nhost: x\r\n\r\n");
        assertThat(otherHost.status()).isEqualTo(421);
        check(Route.HEALTH, "", otherHost);
        Reply tooLong = ask("GET /health?" + "y".repeat(100_000) + " HTTP/1.1\r\nhost: localhost\r\n\r\n");
        assertThat(tooLong.status()).isEqualTo(414);
        check(Route.HEALTH, "", tooLong);
        Reply type = ask("POST /v2/prices HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}");
        assertThat(type.status()).isEqualTo(415);
        check(Route.UPDATE, "", type);
        assertThat(ask(get("/v2/search")).headers()).containsEntry("allow", "POST");
    }

    @Test
    void prices_byTheirPath_areDescribed() throws IOException {
        for (String path :
                List.of("o0/id-0", "o0/id-1", "%6f0/%69d-0", "o0/%", "o0/%fF", "/x", "%2f/%00", "o0/id-0?x=/y")) {
            Reply response = ask(get("/v2/prices/" + path));
            boolean isBad = path.equals("o0/%") || path.equals("o0/%fF");
            assertThat(response.status()).as(path).isEqualTo(isBad ? 400 : path.contains("d-0") ? 200 : 404);
            check(Route.PRICE, path, response);
        }
        assertThat(JSON.readTree(ask(get("/v2/prices/o0/id-0")).body())
                        .at("/price/payload")
                        .textValue())
                .isEqualTo("p0");
        assertThat(ask(get("/v2/prices/o0/%zz")).body())
                .contains("id: two hexadecimal digits are expected behind %: at=0");
        assertThat(ask(get("/v2/prices/none/x")).body()).contains("no such price: offering='none' id='x'");
        for (String path :
                List.of("/v2/prices/o0", "/v2/prices/o0/id-0/", "/v2/prices/o0/id-0/x", "/v2/price/o0/id-0")) {
            assertThat(ask(get(path)).body()).as(path).contains("no such route");
        }
        assertThat(ask("HEAD" + get("/v2/prices/o0/id-9").substring(3).replace("HTTP/1.1\r\n", "HTTP/1.0\r\n"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void document_ofAnIndexWithOddOrFewFields_isComplete() throws IOException {
        server.close();
        Map<String, Object> conditions = Map.of("say \"@items\"\u00e9", "x", "tiny", new BigDecimal("0.1"));
        server = start(PriceIndex.builder()
                .string("say \"@items\"\u00e9")
                .decimal("tiny", 18)
                .decimal("whole", 0)
                .build(List.of(Price.of("a", "o", conditions, BigDecimal.ONE))));
        load();

        assertThat(document.at("/components/schemas/StringField/enum/0").textValue())
                .isEqualTo("say \"@items\"\u00e9");
        assertThat(document.at("/components/schemas/IntegerField").has("not")).isTrue();
        documents_thatTheSchemaAccepts_areAnswered(Route.UPDATE);
        documents_thatTheSchemaRefuses_areRefused(Route.UPDATE);
    }

    @Test
    void servedPlansAndEngines_areThoseOfTheIndex() {
        assertThat(Arrays.stream(Plan.values()).map(Enum::name))
                .allMatch(plan -> document.at("/components/schemas/Explanation/properties/plan/enum")
                        .toString()
                        .contains('"' + plan + '"'));
    }
}
