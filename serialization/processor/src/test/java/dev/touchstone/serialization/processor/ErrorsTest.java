package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong is said where it stands. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErrorsTest {
    private static final String HEAD = """
            package p;
            import dev.touchstone.serialization.annotation.*;
            import java.util.*;
            """;

    /** Each error once, at its line; {@code |} begins a line. */
    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
            @Compact public record T(|Object a) {}                              ! 5 ! type=Object; mark it @Compact
            @Compact public record T(|char a) {}                                ! 5 ! encode = Encoding.CHAR_AS_INT16
            @Compact public record T(|int[][] a) {}                             ! 5 ! cannot be nested
            @Compact public record T(|List<String> a) {}                        ! 5 ! encode = Encoding.COLLECTIONS
            @Compact public record T(|Map<String, String> a) {}                 ! 5 ! encode = Encoding.COLLECTIONS
            @Compact public record T(|UUID a) {}                                ! 5 ! encode = Encoding.UUID_AS_STRING
            @Compact public record T(|java.time.Instant a) {}                   ! 5 ! encode = Encoding.INSTANT_AS_TIMESTAMP
            @Compact public record T(|java.time.Year a) {}                      ! 5 ! encode = Encoding.TIME_AS_STRING
            @Compact public record T(|Thread.State a) {}                        ! 5 ! encode = Encoding.ENUM_AS_STRING
            @Compact(encode = Encoding.UUID_AS_INT64S) public record T(|UUID[] a) {} ! 5 ! no arrays of UUIDs
            @Compact(encode = Encoding.COLLECTIONS) public record T(|List<?> a) {}   ! 5 ! say exactly of what it is
            @Compact(encode = Encoding.COLLECTIONS) public record T(|List<List<String>> a) {} ! 5 ! put the inner one into a @Compact record with one field
            @Compact(encode = Encoding.COLLECTIONS) public record T(|Map<String, List<Integer>> a) {} ! 5 ! field=a type=List<Integer>; arrays and collections cannot be nested
            @Compact(encode = Encoding.COLLECTIONS) public record T(|List<int[]> a) {} ! 5 ! put the inner one into
            @Compact(encode = Encoding.COLLECTIONS) public record T(|List<String>[] a) {} ! 5 ! put the inner one into
            @Compact(encode = Encoding.COLLECTIONS) public record T(|TreeMap<String, String> a) {} ! 5 ! type=TreeMap<String, String>; a collection is declared as List
            @Compact(encode = Encoding.COLLECTIONS) public record T(|Deque<String> a) {} ! 5 ! a collection is declared as List
            @Compact public record T(|Box<String> a) {} record Box<E>(E e) {}   ! 5 ! type=Box<String>; a type with type arguments has no codec
            @Compact public record T(|java.util.function.Supplier<String> a) {} ! 5 ! a type with type arguments has no codec
            @Compact public record T(|java.util.concurrent.atomic.AtomicReference<String>[] a) {} ! 5 ! a type with type arguments has no codec
            @Compact(encode = Encoding.ENUM_AS_STRING) public class T {|E e; private enum E { A } } ! 5 ! not visible to generated code in package p: field=e type=T.E
            @Compact(encode = Encoding.COLLECTIONS) public class T {|List<U[]> u; private static class U {} } ! 5 ! not visible to generated code in package p: field=u type=T.U
            @Compact|public record T(int a, @CompactField("a") int b) {}        ! 5 ! two fields have one name: type=p.T field=a
            @Compact public class T {|private int a; public void setA(int v) { a = v; } } ! 5 ! no getter: field=a
            @Compact public class T {|private int a; public int getA() { return a; } }    ! 5 ! cannot be set: field=a
            @Compact public class T {|final int a = 1; }                        ! 5 ! cannot be set: field=a
            @Compact|public class T { public T(int a) {} }                      ! 5 ! no constructor that can be called
            @Compact|public class T { private T() {} }                          ! 5 ! no constructor that can be called
            @Compact|public class T { int a; String b; T(String b) {} }              ! 5 ! without parameters or with those of all fields
            @Compact(encode = Encoding.OPTIONAL_AS_NULL) public record T(|Optional<?> a) {} ! 5 ! it must hold a type
            @Compact|public class T { final int a, b; T(int b, int other) { this.b = b; a = other; } public int getA() { return a; } } ! 5 ! names and types
            @Compact|public class T extends U { transient int x; int y; } class U { int x; } ! 5 ! hidden by one of its name: field=x
            @Compact public class T {|private int hashCode; public void setHashCode(int v) {} } ! 5 ! no getter: field=hashCode
            @Compact|public class T extends java.util.ArrayList<String> { }     ! 5 ! must not extend a class of the JDK that has fields
            public class T {|@Compact private record U(int a) {} }              ! 5 ! must not be private
            public class T { private static class V {|@Compact record U(int a) {} } } ! 5 ! inside a private one
            public class T {|@Compact class U {} }                              ! 5 ! must be static
            @Compact|public record T<E>(int a) {}                               ! 5 ! must not be generic: p.T<E>; declare one without
            @Compact|public interface T {}                                      ! 5 ! must be sealed
            @Compact|public abstract class T {}                                 ! 5 ! must be sealed
            @Compact|public @interface T {}                                     ! 5 ! must be sealed
            @Compact|public sealed interface T { record A() implements T {} }   ! 5 ! permitted type is not @Compact: p.T.A
            @Compact|public sealed interface T { @Compact non-sealed class A implements T {} } ! 5 ! open to types that nobody knows
            @Compact("t")|public sealed interface T { @Compact record A() implements T {} }    ! 5 ! no name of its own
            @Compact|public sealed class T { @Compact static final class A extends T {} }      ! 5 ! must be abstract
            @Compact|public sealed interface T { @Compact("a") record A() implements T {} @Compact("a") record B() implements T {} } ! 5 ! one name
            @Compact public sealed interface T { @Compact record A(|T[] ts) implements T {} }   ! 5 ! @Compact record with one field
            @Compact public record T(|@CompactField(missing = "x") int a) {}    ! 5 ! missing is no value of the field: field=a type=int
            @Compact public record T(|@CompactField(missing = "300") byte a) {} ! 5 ! missing is no value of the field
            @Compact public record T(|@CompactField(missing = "yes") boolean a) {} ! 5 ! neither true nor false
            @Compact public record T(|@CompactField(missing = "1") int[] a) {}  ! 5 ! a field of this type has none
            @Compact public record T(|@CompactField(missing = {"1", "2"}) int a) {} ! 5 ! must be one value
            @Compact public record T(|@CompactField(missing = "C") U a) {} @Compact enum U { A } ! 5 ! no such constant
            @org.jspecify.annotations.NullMarked @Compact public record T(int a,|T next) {} ! 5 ! without end: field=next
            @org.jspecify.annotations.NullMarked @Compact public record T(|U u) { @Compact record U(@org.jspecify.annotations.Nullable T t, T next) {} } ! 5 ! without end
            """)
    void error_isSaidAtTheElement(String source, int line, String message) {
        Compilation compilation = Compilation.of(HEAD + source.replace("|", "\n"));
        List<Diagnostic<?>> errors = compilation.diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .<Diagnostic<?>>map(diagnostic -> diagnostic)
                .toList();
        assertThat(errors.get(0).toString()).contains(message);
        assertThat(errors.get(0).getLineNumber()).as(errors.toString()).isEqualTo(line);
        assertThat(compilation.outputs.keySet()).noneMatch(path -> path.equals("p/TView.java"));
    }

    @Test
    void errors_ofSeveralFields_areAllSaid() {
        Compilation compilation = Compilation.of(HEAD + "@Compact public record T(Object a, int b, char c) {}");
        assertThat(compilation.messages()).hasSize(2);
    }

    @Test
    void recursion_thatCanEnd_isTaken() {
        String source = """
                import org.jspecify.annotations.*;
                @NullMarked @Compact public record T(@Nullable T next, T[] all, E e) {
                    @Compact sealed interface E {}
                    @Compact record Sum(E left, E right) implements E {}
                    @Compact record Number(int value) implements E {}
                }
                """;
        List<String> options = List.of("-Xlint:-processing"); // of NullMarked
        Compilation.of(List.of(new CompactProcessor()), options, HEAD + source).clean();
    }
}
