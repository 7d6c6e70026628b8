package dev.touchstone.index.server.api.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.Metrics;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.SamplePrices;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RoutesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PriceService service =
            new PriceService(SamplePrices.index(), new Limits(1 << 20, 1 << 20, 50, 8, 16));
    private final Response answer = new Response();

    private String ask(Route route, String body) {
        byte[] bytes = ("##" + body + "##").getBytes(StandardCharsets.UTF_8);
        answer.reset();
        new HandlerFactory(service).handler(route).handle(bytes, 2, bytes.length - 2, answer);
        return new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8);
    }

    private JsonNode json(Route route, String body) throws IOException {
        return JSON.readTree(ask(route, body));
    }

    @Test
    void openApi_listsExactlyTheRoutes() throws IOException {
        JsonNode document = json(Route.OPEN_API, "");
        List<String> listed = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method -> listed.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Route.values())
                        .map(route -> route.method() + " " + route.path())
                        .toList());
        document.findValuesAsText("$ref")
                .forEach(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void page_runsNothingThatItsPolicyDoesNotName() {
        String page = ask(Route.PAGE, "");

        assertThat(answer.headers()).contains("default-src 'none'; script-src 'sha256-");
        assertThat(page).containsOnlyOnce("<script>").containsOnlyOnce("<style>");
        assertThat(page).doesNotContain("style=", "onclick=", "src=", "http:", "https:", "innerHTML");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|{'offering':'o0','conditions':[{'field':'term','value':12},{'field':'colour','value':'red'},"
                        + "{'field':'group','value':'group0'},{'field':'spec','value':'MRC'}]}",
                "200|{'conditions':[{'field':'amount','op':'between','from':1.43,'to':'2'}]}",
                "200|{'conditions':[{'field':'from','op':'lessThan','value':'1970-01-01T00:00:01Z'}]}",
                "200|{'conditions':[{'field':'term','op':'in','values':[36]}],'policy':'all','limit':3}",
                "200|{'policy':'first'}",
                "404|{'offering':'x'}",
                "404|{'conditions':[{'field':'amount','op':'greaterThan','value':1000}]}",
                "409|{'offering':'dup'}",
                "409|{}",
                "400|[]",
                "400|{'offering':5}",
                "400|{'offer':'x'}",
                "400|{'conditions':[5]}",
                "400|{'conditions':[{'field':'term'}]}",
                "400|{'conditions':[{'field':'term','op':'like','value':1}]}",
                "400|{'conditions':[{'field':'term','op':'in','value':1}]}",
                "400|{'policy':'best'}",
                "400|{'limit':0}",
                "400|{'limit':51}",
                "400|{'offering':'a','offering':'b'}",
                "400|{'offering':'a'",
                "200|{'offering':'o0','policy':'all','conditions':[{'anyOf':[{'conditions':[{'field':'term','value':12}]},{}]}]}",
                "200|{'policy':'first','conditions':[{'noneOf':[{'conditions':[{'field':'term','value':12}],'wildcards':true}]}]}",
                "404|{'conditions':[{'anyOf':[]}]}",
                "404|{'conditions':[{'noneOf':[{}]}]}",
                "400|{'conditions':[{'anyOf':{}}]}",
                "400|{'conditions':[{'anyOf':null}]}",
                "400|{'conditions':[{'anyOf':[5]}]}",
                "400|{'conditions':[{'anyOf':[],'noneOf':[]}]}",
                "400|{'conditions':[{'anyOf':[],'field':'term'}]}",
                "400|{'conditions':[{'anyOf':[{'offering':'o0'}]}]}",
                "400|{'conditions':[{'anyOf':[{'wildcards':1}]}]}",
                "400|{'conditions':[{'anyOf':[{'conditions':[],'conditions':[]}]}]}",
                "422|{'conditions':[{'anyOf':[{'conditions':[{'field':'size','value':1}]}]}]}",
                "422|{'conditions':[{'field':'size','value':1}]}",
                "422|{'conditions':[{'field':'colour','value':1}]}",
                "422|{'conditions':[{'field':'term','value':'x'}]}",
                "422|{'conditions':[{'field':'term','value':true}]}",
                "422|{'conditions':[{'field':'term','value':12.5}]}",
                "409|{'conditions':[{'field':'term','value':12.0}]}",
                "409|{'conditions':[{'field':'amount','op':'atLeast','value':1e-100000000}]}",
                "422|{'conditions':[{'field':'colour','op':'atLeast','value':'a'}]}",
                "400|{'conditions':[{'field':'term','value':1},{'field':'term','value':1},{'field':'term','value':1},"
                        + "{'field':'term','value':1},{'field':'term','value':1},{'field':'term','value':1},"
                        + "{'field':'term','value':1},{'field':'term','value':1},{'field':'term','value':1}]}",
            })
    void search_answersWithStatus(int status, String request) throws IOException {
        JsonNode body = json(Route.SEARCH, request.replace('\'', '"'));

        assertThat(answer.status()).as(body.toString()).isEqualTo(status);
        assertThat(body.has("error")).isEqualTo(status != 200);
        ask(Route.EXPLAIN, request.replace('\'', '"'));
        assertThat(answer.status()).isEqualTo(status == 404 || status == 409 ? 200 : status);
    }

    @Test
    void search_withNestedQueries_findsWhatTheIndexFinds() throws IOException {
        String nested = "{'offering':'o0','policy':'all','limit':50,'conditions':[{'field':'group','value':'group0'},"
                + "{'anyOf':[{'conditions':[{'field':'term','value':12},{'noneOf':[{'conditions':[{'field':'colour','value':'red'}]}]}]},"
                + "{'conditions':[{'field':'amount','op':'atMost','value':'0.12'}]}]}]}";
        PriceIndex index = service.index();
        List<String> expected = new ArrayList<>();
        index.forEach(
                index.query()
                        .offering("o0")
                        .eq("group", "group0")
                        .anyOf(
                                index.query()
                                        .eq("term", 12L)
                                        .noneOf(index.query().eq("colour", "red")),
                                index.query().atMost(index.field("amount"), new BigDecimal("0.12"))),
                () -> false,
                price -> expected.add(price.id()));
        JsonNode found = json(Route.SEARCH, nested.replace('\'', '"'));

        assertThat(found.get("prices").findValuesAsText("id"))
                .isEqualTo(expected)
                .isNotEmpty();
        assertThat(json(Route.EXPLAIN, nested.replace('\'', '"')).toString()).contains("any of (", "none of (");
        assertThat(json(Route.SEARCH_BULK, "[{}," + nested.replace('\'', '"') + "]")
                        .at("/1/prices")
                        .findValuesAsText("id"))
                .isEqualTo(expected);
        answer.reset();
        byte[] bytes = nested.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        new HandlerFactory(service).quickHandler(Route.SEARCH).handle(bytes, 0, bytes.length, answer);
        assertThat(answer.isDeferred()).isTrue();
    }

    @Test
    void search_nestedTooDeepOrTooOften_isRefused() throws IOException {
        String most = "{\"conditions\":[{\"anyOf\":[{}" + ",{}".repeat(254) + "]},{\"noneOf\":[{}%s]}]}";
        assertThat(json(Route.SEARCH, most.replace("%s", "")).at("/matches").intValue())
                .isZero();
        assertThat(json(Route.SEARCH, most.replace("%s", ",{}"))
                        .at("/error/message")
                        .textValue())
                .isEqualTo("conditions[1].noneOf: more than 256 nested queries");
        assertThat(answer.status()).isEqualTo(400);
        String deep = "{\"conditions\":[{\"anyOf\":[".repeat(5) + "]}]}".repeat(5);
        assertThat(json(Route.SEARCH, deep).at("/error/message").textValue()).contains("depth (17) exceeds");
        assertThat(json(Route.SEARCH, "{\"conditions\":[{\"anyOf\":[{},{\"conditions\":[{\"field\":\"term\"}]}]}]}")
                        .at("/error/message")
                        .textValue())
                .isEqualTo("conditions[0].anyOf[1].conditions[0].value: is missing");
    }

    @Test
    void price_isWrittenAsSearchesWriteIt() throws IOException {
        JsonNode found = json(Route.SEARCH, "{\"policy\":\"all\",\"limit\":50}").get("prices");
        for (JsonNode price : found) {
            String path =
                    price.get("offering").textValue() + "/" + price.get("id").textValue();
            assertThat(json(Route.PRICE, path).get("price")).isEqualTo(price);
        }
        assertThat(ask(Route.PRICE, "several/s"))
                .contains("\"conditions\":{\"colour\":[\"gold\",\"red\"],\"term\":12}");
    }

    @Test
    void count_countsMatchesAndTheirValues() throws IOException {
        JsonNode counts = json(Route.COUNT, """
                {"conditions": [{"field": "term", "op": "in", "values": [0, 12]}], "facets": [
                  {"field": "colour", "top": 2}, {"field": "spec"}, {"field": "term", "top": 0}, {"field": "amount", "top": 1}]}""");

        assertThat(answer.version()).isEqualTo(1);
        assertThat(counts).isEqualTo(JSON.readTree("""
                                {"version": 1, "matches": 73, "facets": [
                                  {"field": "colour", "values": [{"value": "red", "prices": 25}, {"value": "blau gr\u00fcn", "prices": 24}],
                                   "distinct": 4, "missing": 0},
                                  {"field": "spec", "values": [{"value": "MRC", "prices": 36}, {"value": "N\\"R\u00e9C", "prices": 36}],
                                   "distinct": 2, "missing": 1},
                                  {"field": "term", "values": [], "distinct": 2, "missing": 0},
                                  {"field": "amount", "values": [{"value": 0.00, "prices": 1}], "distinct": 72, "missing": 1}]}"""));
        assertThat(json(Route.COUNT, "{\"offering\":\"none\"}").toString())
                .isEqualTo("{\"version\":1,\"matches\":0,\"facets\":[]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|{'facets':{}}|facets: a list is expected",
                "400|{'facets':[5]}|facets[0]: an object is expected",
                "400|{'facets':[{'top':5}]}|facets[0].field: is missing",
                "400|{'facets':[{'field':'term','top':51}]}|facets[0].top: a number from 0 to 50 is expected",
                "400|{'facets':[{'field':'term','more':1}]}|facets[0].more: no such name; known are field, top",
                "400|{'facets':[{'field':'term','field':'term'}]}|not JSON: Duplicate",
                "422|{'facets':[{'field':'term'},{'field':'size'}]}|facets[1]: no such field: name='size'",
                "422|{'conditions':[{'field':'size','value':1}],'facets':5}|conditions[0]: no such field: name='size'",
            })
    void count_ofWrongFacets_isRefused(int status, String request, String message) throws IOException {
        String told = json(Route.COUNT, request.replace('\'', '"'))
                .at("/error/message")
                .textValue();

        assertThat(told).startsWith(message);
        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    void search_ofTooMuch_isRefusedWithNumbers() throws IOException {
        assertThat(json(Route.SEARCH, "{\"conditions\":[" + "{\"a\":[[1]]},".repeat(1000) + "{}]}")
                        .at("/error/message")
                        .textValue())
                .isEqualTo("more than 8 conditions: conditions=1001");
        assertThat(json(
                                Route.SEARCH,
                                "{\"conditions\":[{\"field\":\"term\",\"op\":\"in\",\"values\":[" + "1,".repeat(1000)
                                        + "true]}]}")
                        .at("/error/message")
                        .textValue())
                .isEqualTo("conditions[0].values: more than 50 values: values=1001");
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void explainBulk_explainsEachWithItsId() throws IOException {
        String killed = "{\"id\":\"b\",\"offering\":\"o0\",\"conditions\":[{\"field\":\"colour\",\"value\":\"no\"}]}";
        JsonNode body = json(
                Route.EXPLAIN_BULK,
                "[{\"id\":1,\"policy\":\"specific\"}," + killed
                        + ",{\"limit\":0},{\"conditions\":[{\"field\":\"size\"}]}]");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(body.at("/0/id").intValue()).isEqualTo(1);
        assertThat(body.at("/0/ranks").size()).isPositive();
        assertThat(body.at("/1/id").textValue()).isEqualTo("b");
        assertThat(body.at("/1/killer/condition").textValue()).isEqualTo("colour = no");
        assertThat(body.at("/2/error/status").intValue()).isEqualTo(400);
        assertThat(body.at("/3/error/status").intValue()).isEqualTo(422);
        ask(Route.EXPLAIN_BULK, "[" + "{},".repeat(50) + "{}]");
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void bulk_ofTooLongAnAnswer_isRefused() {
        PriceService small = new PriceService(SamplePrices.index(), new Limits(1 << 20, 10_000, 50, 8, 16));
        byte[] list = ("[{}" + ",{\"policy\":\"all\"}".repeat(40) + "]").getBytes(StandardCharsets.UTF_8);
        new HandlerFactory(small).handler(Route.SEARCH_BULK).handle(list, 0, list.length, answer);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8))
                .contains("the answer has more than 5000 bytes");
    }

    @Test
    void bulk_ofTooManySearchesWhoseAnswersAreTooLong_isToldTheirNumber() {
        PriceService small = new PriceService(SamplePrices.index(), new Limits(1 << 20, 10_000, 50, 8, 16));
        byte[] list = ("[{}" + ",{\"policy\":\"all\"}".repeat(50) + "]").getBytes(StandardCharsets.UTF_8);
        new HandlerFactory(small).handler(Route.SEARCH_BULK).handle(list, 0, list.length, answer);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8))
                .contains("more than 50 searches");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false|{'offering':'o0','policy':'all'}",
                "false|{'offering':'o0','policy':'first','limit':50}",
                "true|{'policy':'first'}",
                "false|{'offering'",
            })
    void quickSearch_defersWhatMayTakeLong(boolean isDeferred, String request) {
        byte[] bytes = request.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        Response quick = new Response();
        new HandlerFactory(service).quickHandler(Route.SEARCH).handle(bytes, 0, bytes.length, quick);
        assertThat(quick.isDeferred()).isEqualTo(isDeferred);
        assertThat(quick.size() == 0).isEqualTo(isDeferred);
    }

    @ParameterizedTest
    @CsvSource({"false, 20", "true, 40"})
    void quickSearch_manyConditions_isDeferred(boolean isDeferred, int conditions) {
        String list = String.join(",", Collections.nCopies(conditions, "{'field':'term','value':12}"));
        quickSearch_defersWhatMayTakeLong(isDeferred, "{'offering':'o0','conditions':[" + list + "]}");
    }

    @Test
    void explain_namesTheConditionThatLeavesNothing() throws IOException {
        JsonNode body = json(
                Route.EXPLAIN,
                "{\"offering\":\"o0\",\"conditions\":[{\"field\":\"term\",\"value\":12},{\"field\":\"colour\",\"value\":\"no\"}]}");

        assertThat(body.at("/killer/condition").textValue()).isEqualTo("colour = no");
        assertThat(body.at("/steps/0/alone").intValue()).isEqualTo(48);
    }

    @Test
    void bulk_answersInOrderWithIds() throws IOException {
        StringBuilder list = new StringBuilder("[");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            String item = "{\"id\":" + (i % 7 == 0 ? "\"s" + i + "\"" : i) + ",\"offeringId\":\""
                    + (i % 3 == 0 ? "dup" : "x") + "\"}";
            list.append(i == 0 ? "" : ", ").append(item);
            lines.append(item).append(i % 2 == 0 ? "\n" : "\r\n\n");
        }
        JsonNode answers = json(Route.V4_BITMAP_BULK, list + "]");
        assertThat(answers).hasSize(50);
        List<String> answered =
                ask(Route.V5_BITMAP_BULK, lines.toString()).lines().toList();
        for (int i = 0; i < 50; i++) {
            assertThat(answers.get(i).get("id").asText()).isEqualTo(i % 7 == 0 ? "s" + i : "" + i);
            assertThat(answers.get(i).at("/error/message").textValue())
                    .startsWith(i % 3 == 0 ? "2 prices match" : "no price");
            assertThat(JSON.readTree(answered.get(i))).isEqualTo(answers.get(i));
        }
        assertThat(json(Route.V4_MAP_BULK, list + "]")).isEqualTo(answers);
        ask(Route.V4_BITMAP_BULK, list + ",{}]");
        assertThat(answer.status()).isEqualTo(400);
        ask(Route.V4_BITMAP_BULK, list.toString());
        assertThat(answer.status()).isEqualTo(400);
        assertThat(json(Route.V2_BITMAP_BULK, " [ ] ")).isEmpty();
    }

    @Test
    void lines_badOne_costsItsOwnAnswerOnly() throws IOException {
        List<String> answered = ask(Route.V5_BITMAP_BULK, "{\"id\":1}\n{\"id\":2\n[]\n{\"id\":3}")
                .lines()
                .toList();

        assertThat(answered).hasSize(4);
        assertThat(JSON.readTree(answered.get(1)).at("/error/message").textValue())
                .contains("line 2 of the request");
        assertThat(JSON.readTree(answered.get(3)).get("id").intValue()).isEqualTo(3);
    }

    @Test
    void searchBulk_tellsEachResult() throws IOException {
        JsonNode body = json(
                Route.SEARCH_BULK,
                "[{\"id\":1,\"offering\":\"dup\",\"policy\":\"FIRST\"},{\"id\":\"b\",\"offering\":\"dup\"},{\"limit\":-1}]");

        assertThat(body.at("/0/price/id").textValue()).isEqualTo("1");
        assertThat(body.at("/1/id").textValue()).isEqualTo("b");
        assertThat(body.at("/1/error/status").intValue()).isEqualTo(409);
        assertThat(body.at("/2/error/status").intValue()).isEqualTo(400);
    }

    @Test
    void update_isSeenByTheNextSearchOfAllEngines() throws IOException {
        JsonNode done = json(
                Route.UPDATE,
                "{\"put\":[{\"id\":\"n\",\"offering\":\"new\",\"value\":3.50,\"conditions\":{\"colour\":\"pink\",\"term\":7,"
                        + "\"amount\":\"1.25\",\"from\":\"2020-01-01T00:00:00Z\"}}],"
                        + "\"remove\":[{\"offering\":\"dup\",\"id\":\"2\"}]}");
        assertThat(done.get("version").longValue()).isEqualTo(2);
        assertThat(answer.version()).isEqualTo(2);
        String request = "{\"offeringId\":\"new\",\"charValues\":[{\"char\":\"colour\",\"value\":\"pink\"}]}";
        assertThat(ask(Route.V1_BITMAP, request)).contains("\"value\":3.50");
        assertThat(ask(Route.V1_MAP, request)).contains("\"value\":3.50");
        assertThat(ask(Route.V1_MAP, "{\"offeringId\":\"dup\"}")).contains("\"value\":1,");
        assertThat(json(Route.SEARCH, "{\"offering\":\"new\"}").get("version").intValue())
                .isEqualTo(2);
    }

    @Test
    void update_withSeveralValues_isFoundByEachAndShown() throws IOException {
        ask(
                Route.UPDATE,
                "{\"put\":[{\"id\":\"n\",\"offering\":\"new\",\"value\":3,"
                        + "\"conditions\":{\"colour\":[\"pink\",\"n\\u00e9\",\"pink\"],\"spec\":[\"one\"]}}]}");
        assertThat(answer.status()).isEqualTo(200);
        String request = "{\"offering\":\"new\",\"conditions\":[{\"field\":\"colour\",\"value\":\"%s\"}]}";
        for (String colour : List.of("pink", "n\u00e9")) {
            JsonNode found = json(Route.SEARCH, request.replace("%s", colour)).at("/price/conditions");
            assertThat(found.toString()).isEqualTo("{\"colour\":[\"n\u00e9\",\"pink\"],\"spec\":\"one\"}");
            assertThat(json(Route.EXPLAIN, request.replace("%s", colour)).toString())
                    .contains("colour = " + colour);
        }
        assertThat(ask(
                        Route.V1_MAP,
                        "{\"offeringId\":\"new\",\"charValues\":[{\"char\":\"colour\",\"value\":\"pink\"}]}"))
                .contains("\"value\":3");
    }

    @Test
    void update_withTooManyValues_isRefusedWithTheirNumber() {
        String values = "\"a\"" + ",\"b\"".repeat(1000);
        String refusal = ask(
                Route.UPDATE,
                "{\"put\":[{\"id\":\"n\",\"offering\":\"new\",\"value\":3,\"conditions\":{\"colour\":[" + values
                        + "]}}]}");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(refusal).contains("put[0]", "field=colour values=1001 expected=1 to 1000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|{'put':[{'id':'a'}]}",
                "400|{'puts':[]}",
                "400|{'put':{}}",
                "400|{'put':[",
                "400|{'remove':[{'id':'a','offering':'b','x':1}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'size':'x'}}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'term':'x'}}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'amount':1.234}}]}",
                "422|{'put':[{'id':'a','offering':'o','value':12345678901234567890}]}",
                "422|{'put':[{'id':'','offering':'o','value':1}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'colour':[]}}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'colour':['red',1]}}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'colour':['red',null]}}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'colour':['red','\\udc00']}}]}",
                "422|{'put':[{'id':'a','offering':'o','value':1,'conditions':{'term':[12,24]}}]}",
            })
    void update_thatIsNotPossible_changesNothing(int status, String request) throws IOException {
        ask(Route.UPDATE, request.replace('\'', '"'));

        assertThat(answer.status()).isEqualTo(status);
        assertThat(json(Route.INDEX, "").get("version").intValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EXPLAIN|{}",
                "EXPLAIN_BULK|[{}]",
                "COUNT|{}",
                "COUNT|{'facets':[{'field':'term'}]}",
                "COUNT|{'conditions':[{'anyOf':[{}]}]}",
                "SEARCH|{'policy':'first'}",
                "SEARCH_PAGE|{}",
                "SEARCH_ALL|{}",
                "SEARCH_BULK|[{}]",
                "V2_BITMAP_BULK|[{'id':1}]",
                "V4_BITMAP_BULK|[{'id':1.5e0}]",
                "V4_MAP_BULK|[{'id':1}]",
                "V5_BITMAP_BULK|{'id':1}",
                "UPDATE|{'remove':[{'offering':'dup','id':'1'}]}",
            })
    void handler_thatIsStopped_endsWithoutAnAnswerOrAChange(Route route, String request) throws IOException {
        answer.stopWhen(() -> true);
        assertThatThrownBy(() -> ask(route, request.replace('\'', '"'))).isInstanceOf(CancellationException.class);
        answer.stopWhen(() -> false);
        assertThat(json(Route.INDEX, "").get("version").intValue()).isEqualTo(1);
        ask(route, request.replace('\'', '"'));
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void metrics_countRequests() {
        service.metrics().answered(Route.SEARCH, 404, 1000);
        service.metrics().answered(Route.SEARCH, 404, 3_000_000);
        service.metrics().answered(Route.SEARCH, 404, 30_000_000_000L);
        service.metrics().refused(Route.Pool.EXPLAIN, Metrics.Refusal.LATE);

        assertThat(ask(Route.METRICS, ""))
                .contains("touchstone_index_requests_total{route=\"/v2/search\",status=\"4xx\"} 3.0")
                .contains("touchstone_index_handling_seconds_bucket{route=\"/v2/search\",le=\"1.0E-4\"} 1")
                .contains("touchstone_index_handling_seconds_bucket{route=\"/v2/search\",le=\"0.0025\"} 1")
                .contains("touchstone_index_handling_seconds_bucket{route=\"/v2/search\",le=\"0.005\"} 2")
                .contains("touchstone_index_handling_seconds_bucket{route=\"/v2/search\",le=\"10.0\"} 2")
                .contains("touchstone_index_handling_seconds_bucket{route=\"/v2/search\",le=\"+Inf\"} 3")
                .contains("touchstone_index_handling_seconds_count{route=\"/v2/search\"} 3")
                .contains("touchstone_index_handling_seconds_sum{route=\"/v2/search\"} 30.003001")
                .contains("touchstone_index_pool_refused_total{pool=\"explain\",reason=\"late\"} 1.0")
                .contains("touchstone_index_prices 147.0");
    }

    @Test
    void ready_saysWhenTheServiceStops() {
        assertThat(ask(Route.READY, "")).isEqualTo("ready\n");
        assertThat(ask(Route.HEALTH, "")).isEqualTo("up\n");
        service.stopping();
        assertThat(ask(Route.HEALTH, "")).isEqualTo("draining\n");
        assertThat(answer.status()).isEqualTo(200);
        ask(Route.READY, "");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).contains("retry-after: 1");
    }
}
