package dev.touchstone.index.server.api.v2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PricePage;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages over HTTP: those of the index, and which orders and cursors are refused. */
@Timeout(60)
class SearchPageTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PriceService service =
            new PriceService(SamplePrices.index(), new Limits(1 << 20, 1 << 20, 50, 8, 16));
    private final Response answer = new Response();

    private JsonNode json(Route route, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        answer.reset();
        new HandlerFactory(service).handler(route).handle(bytes, 0, bytes.length, answer);
        return JSON.readTree(answer.bytes(), 0, answer.size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null|value|false",
                "{}|value|false",
                "{'by':null,'descending':true}|value|true",
                "{'by':'value'}|value|false",
                "{'descending':true,'by':'id'}|id|true",
                "{'field':'term'}|term|false",
                "{'field':'amount','descending':true}|amount|true",
                "{'field':'from','descending':null}|from|false",
            })
    void pages_areThoseOfTheIndex(String sort, String by, boolean isDescending) throws IOException {
        PriceIndex index = service.index();
        PricePage.Order order = by.equals("value")
                ? PricePage.Order.byValue()
                : by.equals("id") ? PricePage.Order.byId() : PricePage.Order.by(index.field(by));
        List<String> expected = PricePage.of(
                        index,
                        index.query().ne("colour", "green").limit(1000),
                        isDescending ? order.descending() : order,
                        null,
                        () -> false)
                .prices()
                .stream()
                .map(price -> price.offering() + "/" + price.id())
                .toList();
        List<String> found = new ArrayList<>();
        String cursor = "null";
        while (!cursor.isEmpty()) {
            JsonNode page = json(
                    Route.SEARCH_PAGE,
                    ("{'conditions':[{'field':'colour','op':'ne','value':'green'}],'limit':7,'cursor':" + cursor
                                    + ",'sort':" + sort + "}")
                            .replace('\'', '"'));
            assertThat(answer.status()).as(page.toString()).isEqualTo(200);
            assertThat(answer.version()).isEqualTo(1);
            assertThat(page.get("changed").booleanValue()).isFalse();
            for (JsonNode price : page.get("prices")) {
                found.add(price.get("offering").textValue() + "/"
                        + price.get("id").textValue());
            }
            assertThat(found).hasSizeLessThanOrEqualTo(expected.size());
            cursor = page.has("next") ? page.get("next").toString() : "";
        }
        assertThat(found).isEqualTo(expected);
        JsonNode one = json(Route.SEARCH_PAGE, "{\"limit\":1}").at("/prices/0");
        assertThat(json(
                                Route.PRICE,
                                one.get("offering").textValue() + "/"
                                        + one.get("id").textValue())
                        .get("price"))
                .isEqualTo(one);
    }

    @Test
    void page_afterAnUpdate_saysThatTheIndexHasChanged() throws IOException {
        JsonNode first = json(Route.SEARCH_PAGE, "{\"offering\":\"dup\",\"limit\":1}");
        assertThat(first.at("/prices/0/id").textValue()).isEqualTo("1");
        json(Route.UPDATE, "{\"remove\":[{\"offering\":\"dup\",\"id\":\"1\"}]}");
        String cursor = "{\"limit\":5,\"offering\":\"dup\",\"cursor\":" + first.get("next") + "}";
        JsonNode second = json(Route.SEARCH_PAGE, cursor);
        assertThat(second.get("version").intValue()).isEqualTo(2);
        assertThat(second.get("changed").booleanValue()).isTrue();
        assertThat(second.get("prices").findValuesAsText("id")).containsExactly("2");
        assertThat(second.has("next")).isFalse();
        assertThat(json(Route.SEARCH_PAGE, "{\"offering\":\"none\"}").toString())
                .isEqualTo("{\"version\":2,\"changed\":false,\"prices\":[]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|{'sort':'value'}|sort: an object is expected",
                "400|{'sort':{'by':'price'}}|sort.by: no such order: 'price'; known are value, id",
                "400|{'sort':{'by':1}}|sort.by: a string is expected",
                "400|{'sort':{'by':'id','field':'term'}}|sort.by: no such name; known are descending, field",
                "400|{'sort':{'field':null}}|sort.field: is missing",
                "400|{'sort':{'descending':1}}|sort.descending: true or false is expected",
                "400|{'sort':{'down':true}}|sort.down: no such name; known are by, descending, field",
                "400|{'sort':{'by':'id','by':'id'}}|not JSON: Duplicate",
                "422|{'sort':{'field':'size'}}|sort.field: no such field: name='size'",
                "422|{'sort':{'field':'colour'}}|sort.field: a string has no order: field=colour",
                "400|{'cursor':5}|cursor: a string is expected",
                "400|{'cursor':''}|cursor: not a cursor of a page: cursor=''",
                "400|{'cursor':'MQ'}|cursor: not a cursor of a page: cursor='MQ'",
                "400|{'cursor':'%s','sort':{'by':'id'}}|cursor: cursor of another order: cursor=",
                "400|{'cursor':'%s','offering':'o0'}|cursor: cursor of another query: cursor=",
                "400|{'cursor':'%s','policy':'specific'}|cursor: cursor of another query: cursor=",
                "400|{'cursor':'%s','conditions':[{'anyOf':[{}]}]}|cursor: cursor of another query: cursor=",
                "200|{'cursor':'%s','limit':3,'policy':'all'}|",
            })
    void page_ofAWrongOrderOrCursor_isRefused(int status, String request, @Nullable String message) throws IOException {
        String cursor = json(Route.SEARCH_PAGE, "{\"limit\":1}").get("next").textValue();
        JsonNode told = json(Route.SEARCH_PAGE, request.replace('\'', '"').replace("%s", cursor));

        assertThat(answer.status()).as(told.toString()).isEqualTo(status);
        assertThat(told.at("/error/message").asText()).startsWith(message == null ? "" : message);
    }
}
