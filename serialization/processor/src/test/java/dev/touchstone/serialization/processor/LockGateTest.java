package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A build that has a lock fails on a schema that is not the accepted one, and passes after it was accepted. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockGateTest {
    private static final String OTHER = type("Other", "long id");

    @TempDir
    Path folder;

    private static String type(String name, String components) {
        return String.format(Locale.ROOT, """
                package p;

                import dev.touchstone.serialization.annotation.Compact;
                import dev.touchstone.serialization.annotation.CompactField;

                @Compact("%s")
                public record %s(%s) {}
                """, name.toLowerCase(java.util.Locale.ROOT), name, components);
    }

    private Path lock() {
        return folder.resolve("compact.lock");
    }

    private Compilation compile(boolean isAccepting, String... sources) {
        List<String> options = new ArrayList<>(List.of("-Atouchstone.compact.lock=" + lock()));
        if (isAccepting) {
            options.add("-Atouchstone.compact.accept=true");
        }
        return Compilation.of(List.of(new CompactProcessor()), options, sources);
    }

    @Test
    void compile_withoutAnAcceptedSchema_failsAndWritesNothing() {
        Compilation compilation = compile(false, OTHER);
        assertThat(compilation.isSuccess).isFalse();
        assertThat(compilation.messages())
                .anyMatch(message -> message.contains("schema is not the accepted one: type=other")
                        && message.contains("breaks no rule")
                        && message.contains("-Atouchstone.compact.accept=true"));
        assertThat(lock()).doesNotExist();
    }

    @Test
    void compile_ofAnIncompatibleChange_failsWithTheRule_untilItIsAccepted() throws IOException {
        assertThat(compile(true, type("Item", "int number, String text"), OTHER).isSuccess)
                .isTrue();
        String accepted = Files.readString(lock());
        assertThat(compile(false, type("Item", "String text, int number"), OTHER).isSuccess)
                .isTrue();

        String changed = type("Item", "long number, String text");
        Compilation refused = compile(false, changed);
        assertThat(refused.isSuccess).isFalse();
        assertThat(refused.messages())
                .anyMatch(message -> message.contains("type=item")
                        && message.contains("field=number")
                        && message.contains("old=INT32 new=INT64"));
        assertThat(Files.readString(lock())).isEqualTo(accepted);

        assertThat(compile(true, changed).isSuccess).isTrue();
        assertThat(compile(false, changed, OTHER).isSuccess).isTrue();
        assertThat(Files.readString(lock())).contains("other");
    }

    @Test
    void compile_ofAFieldThatIsAdded_asksForADefault() {
        assertThat(compile(true, type("Item", "int number")).isSuccess).isTrue();
        assertThat(compile(false, type("Item", "int number, int added")).messages())
                .anyMatch(message -> message.contains("it breaks\n") && message.contains("field=added"));
        assertThat(compile(false, type("Item", "int number, @CompactField(missing = \"7\") int added"))
                        .messages())
                .anyMatch(message -> message.contains("it breaks no rule"));
    }

    /** The third version breaks nothing, since its field has a default; so the first is still compared with the fourth. */
    @Test
    void compile_ofAFieldThatComesBackAsAnotherKind_isRefusedAlsoAfterADefault() {
        assertThat(compile(true, type("Item", "String s, String q")).isSuccess).isTrue();
        assertThat(compile(true, type("Item", "String s")).isSuccess).isTrue();
        String third = "String s, @CompactField(missing = \"7\") int added";
        assertThat(compile(true, type("Item", third)).isSuccess).isTrue();
        assertThat(lock()).content().doesNotContain("breaking");
        String fourth = third + ", @CompactField(missing = \"7\") int q";
        assertThat(compile(false, type("Item", fourth)).messages())
                .anyMatch(message -> message.contains("field=q") && message.contains("old=STRING new=INT32"));
    }

    @Test
    void compile_ofATypeUnderANewName_isRefused_andAcceptedAsANewOne() throws IOException {
        assertThat(compile(true, type("Item", "int number"), OTHER).isSuccess).isTrue();
        String named = type("Thing", "int number");
        assertThat(compile(false, named).messages())
                .anyMatch(message -> message.contains("TYPE_RENAMED: type=item") && message.contains("name=thing"));
        String sameClass = type("Item", "int number").replace("\"item\"", "\"thing\"");
        assertThat(compile(false, sameClass).messages()).anyMatch(message -> message.contains("TYPE_RENAMED"));
        String beside = type("Item", "int number");
        assertThat(compile(false, named, beside).messages()).anyMatch(message -> message.contains("breaks no rule"));
        assertThat(compile(true, named).isSuccess).isTrue();
        assertThat(Files.readString(lock()))
                .contains("type thing", "type other")
                .doesNotContain("type item");
    }

    /** Two modules may share a lock: what is in another package may be a class that this compilation does not see. */
    @Test
    void compile_ofATypeInAnotherPackage_isNoNewName() {
        assertThat(compile(true, type("Item", "int number")).isSuccess).isTrue();
        String elsewhere = type("Thing", "int number").replace("package p;", "package q;");
        assertThat(compile(false, elsewhere).messages()).anyMatch(message -> message.contains("it breaks no rule"));
        assertThat(compile(true, elsewhere).isSuccess).isTrue();
        assertThat(lock()).content().contains("type item", "type thing");
    }

    @Test
    void compile_ofAClassUnderANewName_isToBeAccepted_andThenKnown() throws IOException {
        assertThat(compile(true, type("Item", "int number")).isSuccess).isTrue();
        String renamed = type("Thing", "int number").replace("\"thing\"", "\"item\"");
        assertThat(compile(false, renamed).messages()).anyMatch(message -> message.contains("it breaks no rule"));
        assertThat(compile(true, renamed).isSuccess).isTrue();
        assertThat(Files.readString(lock())).contains("class p.Thing").doesNotContain("class p.Item", "version 2");
        assertThat(compile(false, renamed).isSuccess).isTrue();
    }

    @Test
    void compile_withOptionsThatMeanNothing_says() {
        assertThat(Compilation.of(List.of(new CompactProcessor()), List.of("-Atouchstone.compact.lock="), OTHER)
                        .messages())
                .anyMatch(message -> message.contains("the option has no path"));
        List<String> options = List.of("-Atouchstone.compact.lock=" + lock(), "-Atouchstone.compact.accept=yes");
        assertThat(Compilation.of(List.of(new CompactProcessor()), options, OTHER)
                        .messages())
                .anyMatch(message -> message.contains("value=yes"));
    }

    @Test
    void compile_withoutAConstantThatRecordsMayHold_isRefused() {
        String components = "@CompactField(encode = dev.touchstone.serialization.annotation.Encoding.ENUM_AS_STRING) "
                + "Thread.State state, Color color) { @Compact(\"color\") public enum Color { RED, BLUE } ";
        String whole = type("Item", components).replace(") {}", "}");
        assertThat(compile(true, whole).isSuccess).isTrue();
        assertThat(compile(false, whole.replace("RED, BLUE", "BLUE, RED")).isSuccess)
                .isTrue();
        assertThat(compile(false, whole.replace("RED, BLUE", "BLUE")).messages())
                .anyMatch(message ->
                        message.contains("VALUES_REMOVED: type=item field=color") && message.contains("values=[RED]"))
                .anyMatch(message -> message.contains("VALUES_REMOVED: type=color field=name"));
    }

    @Test
    void compile_ofTwoTypesOfOneName_isRefused() {
        String same = type("Same", "long id").replace("@Compact(\"same\")", "@Compact(\"other\")");
        assertThat(compile(true, OTHER, same).messages())
                .anyMatch(message -> message.contains("two types of one name: name=other other=p."));
        assertThat(lock()).doesNotExist();
    }

    @Test
    void compile_withADamagedLock_says() throws IOException {
        Files.writeString(lock(), "what is this\n");
        assertThat(compile(true, OTHER).messages())
                .anyMatch(message -> message.contains("cannot read the lock") && message.contains("line=1"));
        assertThat(Files.readString(lock())).isEqualTo("what is this\n");
    }
}
