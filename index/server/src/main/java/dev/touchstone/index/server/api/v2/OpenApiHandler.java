package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.Plan;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The handler of {@code /openapi.json}. The description is made once, from a template whose blanks, such as {@code "@items"}, are replaced by the
 * limits of the service and the fields of its index: it refuses what the service refuses, such as a field that the index does not have.
 */
public final class OpenApiHandler implements Handler {
    private static final Pattern BLANK = Pattern.compile("\"@(\\w+)\"|@(\\w+)");
    private static final int MAX_DIGITS = 18;
    private static final String SCHEMAS = "{\"$ref\":\"#/components/schemas/";

    private final byte[] document;

    /** Creates a handler; the description is made now. */
    public OpenApiHandler(PriceService service) {
        String template = new String(PageHandler.read("openapi.json"), StandardCharsets.UTF_8);
        document = BLANK.matcher(template)
                .replaceAll(blank -> Matcher.quoteReplacement(
                        contents(blank.group(1) == null ? blank.group(2) : blank.group(1), service)))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the JSON that replaces a blank. */
    private static String contents(String blank, PriceService service) {
        Limits limits = service.limits();
        return switch (blank) {
            case "items" -> String.valueOf(limits.items());
            case "conditions" -> String.valueOf(limits.conditions());
            case "depth" -> String.valueOf(limits.depth());
            case "bodyBytes" -> String.valueOf(limits.bodyBytes());
            case "bulkBodyBytes" -> String.valueOf(limits.bulkBodyBytes());
            case "plans" -> list(Arrays.stream(Plan.values()).map(Enum::name).toList());
            case "fields" -> fields(service.index());
            case "names" -> names(service.index().fields());
            default -> names(FieldType.valueOf(blank), service.index());
        };
    }

    /** Returns a schema that accepts the names of the fields of a type. */
    private static String names(FieldType type, PriceIndex index) {
        return names(
                index.fields().stream().filter(field -> field.type() == type).toList());
    }

    private static String names(List<Field> fields) {
        List<String> names = fields.stream().map(Field::name).toList();
        return names.isEmpty() ? "{\"not\":{}}" : "{\"enum\":" + list(names) + "}";
    }

    /** Returns an object with the schema of the values that a price can have, for each field. */
    private static String fields(PriceIndex index) {
        return index.fields().stream()
                .map(field -> quoted(field.name()) + ":" + schema(field))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String schema(Field field) {
        return switch (field.type()) {
            case STRING -> SCHEMAS + "PriceString\"}";
            case INTEGER -> SCHEMAS + "PriceInteger\"}";
            case DATE_TIME -> SCHEMAS + "PriceTime\"}";
            case DECIMAL -> decimal(field.scale());
        };
    }

    private static String decimal(int scale) {
        int whole = MAX_DIGITS - scale;
        String bound = BigDecimal.ONE.movePointRight(whole).toPlainString();
        String pattern = "^[+-]?" + (whole == 0 ? "0" : "[0-9]{1," + whole + "}")
                + (scale == 0 ? "" : "(?:[.][0-9]{1," + scale + "})?") + "$";
        return "{\"anyOf\":[{\"type\":[\"number\",\"null\"],\"multipleOf\":"
                + BigDecimal.ONE.movePointLeft(scale).toPlainString() + ",\"exclusiveMinimum\":-" + bound
                + ",\"exclusiveMaximum\":" + bound + "},{\"type\":\"string\",\"pattern\":\"" + pattern
                + "\",\"examples\":[\"0\"]}]}";
    }

    private static String list(List<String> texts) {
        return texts.stream().map(OpenApiHandler::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    private static String quoted(String text) {
        Response quoted = new Response().json(text);
        return new String(quoted.bytes(), 0, quoted.size(), StandardCharsets.UTF_8);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        answer.put(document);
    }
}
