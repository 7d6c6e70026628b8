package dev.touchstone.index;

import org.jspecify.annotations.Nullable;

/** Thrown when a value is not one that its field, or a price, can have. */
public final class InvalidValueException extends IndexException {
    /**
     * Creates an exception.
     *
     * @param message problem, for people
     */
    public InvalidValueException(String message) {
        this(message, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message problem, for people
     * @param cause exception that led to this one, or null
     */
    public InvalidValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns an exception that tells that a value is not of the type of a field.
     *
     * @param field field, not null
     * @param value value that was given, not null
     * @return a new exception
     */
    public static InvalidValueException of(Field field, Object value) {
        return new InvalidValueException("not a value of the field's type: field=" + field.name() + " type="
                + field.type() + " class=" + value.getClass().getSimpleName() + " value=" + shown(value));
    }

    /**
     * Returns the start of the text of a value, in quotes, for messages.
     *
     * @param value any value, not null
     * @return at most 80 characters of the text of the value, in quotes
     */
    public static String shown(Object value) {
        String text = value.toString();
        return "'" + (text.length() <= 80 ? text : text.substring(0, 80) + "...") + "'";
    }

    /**
     * Checks that a text can be encoded in UTF-8, so that it is the same after it was written to a file and read.
     *
     * @param text text to check, not null
     * @param what name of what the text is, for the message
     * @throws InvalidValueException if half of a surrogate pair is missing
     */
    public static void requireText(String text, String what) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean isPair = Character.isHighSurrogate(text.charAt(i))
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!isPair) {
                    throw new InvalidValueException("half of a character: in=" + what + " at=" + i + " code="
                            + Integer.toHexString(text.charAt(i)));
                }
                i++;
            }
        }
    }
}
