package dev.touchstone.serialization.processor.text;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text with holes, {@code %NAME%}; what is put into them is not searched for others. */
public final class TemplateFiller {
    private static final Pattern HOLE = Pattern.compile("%([A-Z_]+)%");

    private final String template;
    private final Map<String, String> values = new HashMap<>();

    public TemplateFiller(String template) {
        this.template = template;
    }

    public TemplateFiller with(String hole, String value) {
        values.put(hole, value);
        return this;
    }

    /** The text. @throws IllegalStateException if a hole is left */
    public String text() {
        return HOLE.matcher(template).replaceAll(hole -> Matcher.quoteReplacement(value(hole.group(1))));
    }

    private String value(String hole) {
        String value = values.get(hole);
        if (value == null) {
            throw new IllegalStateException("nothing for a hole: name=" + hole);
        }
        return value;
    }
}
