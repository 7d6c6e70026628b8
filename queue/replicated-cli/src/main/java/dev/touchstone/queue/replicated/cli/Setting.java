package dev.touchstone.queue.replicated.cli;

import dev.touchstone.queue.WhenFull;
import dev.touchstone.queue.replica.ReplicatedLog;
import dev.touchstone.queue.replicated.link.MemberAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The settings of a member's file, with the values that they take. */
enum Setting {
    MEMBER("HOST:PORT, the address by which the others reach the member", Setting::isAddress),
    LISTEN("HOST:PORT, an address of this machine, or 0.0.0.0 for all", Setting::isListenAddress),
    MEMBERS("HOST:PORT,HOST:PORT,... without one that is empty or stands twice", Setting::areAddresses),
    FOLDER("a folder or a new path, not a plain file or a path below one", Setting::isFolderPath),
    MAX_ELEMENTS(1, Long.MAX_VALUE),
    MAX_BYTES(1, Long.MAX_VALUE),
    WHEN_FULL("block, reject or drop_oldest", Setting::isPolicy),
    MAX_RECORD_BYTES(1, ReplicatedLog.MAX_ELEMENT_BYTES),
    SEGMENT_BYTES(64 << 10, 1 << 30),
    NAMED_CURSORS_ONLY("true or false", text -> text.equals("true") || text.equals("false")),
    LEASES(1, Integer.MAX_VALUE),
    LEASE_SECONDS(1, Integer.MAX_VALUE),
    ELECTION_MS(100, 600_000),
    ANSWER_MS(1, 600_000),
    TLS_CERTIFICATE("a path", Setting::isPath),
    TLS_KEY("a path", Setting::isPath),
    TLS_AUTHORITY("a path", Setting::isPath);

    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,18}|[0-9]{19}");

    private final String expected;

    @SuppressWarnings("ImmutableEnumChecker") // all of them are functions without state
    private final Predicate<String> check;

    Setting(String expected, Predicate<String> check) {
        this.expected = expected;
        this.check = check;
    }

    Setting(long min, long max) {
        this(
                "a whole number, " + min + (max == Long.MAX_VALUE ? " or more" : " to " + max),
                text -> isNumber(text, min, max));
    }

    /** Returns the name of the setting in a file. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the setting with this name in a file. */
    static Optional<Setting> of(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key().equals(key))
                .findAny();
    }

    /** Returns the values that the setting takes, for a message. */
    String expected() {
        return expected;
    }

    /** Returns whether the setting takes a value. */
    boolean takes(String value) {
        return check.test(value);
    }

    /** Returns the addresses that a list has. */
    static List<String> addresses(String list) {
        return List.of(list.strip().split("\\s*,\\s*", -1));
    }

    static boolean isAddress(String text) {
        return isTaken(() -> MemberAddress.parse(text));
    }

    private static boolean isListenAddress(String text) {
        return isTaken(() -> MemberAddress.parseListen(text));
    }

    private static boolean isTaken(Runnable parser) {
        try {
            parser.run();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean areAddresses(String text) {
        List<String> addresses = addresses(text);
        return addresses.stream().allMatch(Setting::isAddress) && new HashSet<>(addresses).size() == addresses.size();
    }

    private static boolean isPath(String text) {
        try {
            return !text.isEmpty() && !Path.of(text).toString().isEmpty();
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Returns whether a path is that of a folder, or one can be made there: the nearest thing that exists is a folder. */
    private static boolean isFolderPath(String text) {
        if (!isPath(text)) {
            return false;
        }
        Path existing = Path.of(text).toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing == null || Files.isDirectory(existing);
    }

    private static boolean isPolicy(String text) {
        return Arrays.stream(WhenFull.values())
                .map(policy -> policy.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet())
                .contains(text.toLowerCase(Locale.ROOT));
    }

    private static boolean isNumber(String text, long min, long max) {
        if (!WHOLE_NUMBER.matcher(text).matches()) {
            return false;
        }
        try {
            long number = Long.parseLong(text);
            return number >= min && number <= max;
        } catch (NumberFormatException e) { // too long
            return false;
        }
    }
}
