package ${package};

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Joins words in two ways. Values of {@link #subject} are measured by turns; the first is yours, the others are its peers. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class JoinBenchmark {
    @Param({"JOIN", "CONCATENATE"})
    public String subject;

    @Param({"10", "100"})
    public int words;

    private final List<String> list = new ArrayList<>();

    @Setup
    public void makeWords() {
        for (int i = 0; i < words; i++) {
            list.add("word" + i);
        }
    }

    @Benchmark
    public String join() {
        if (subject.equals("JOIN")) {
            return String.join(",", list);
        }
        String joined = list.get(0);
        for (int i = 1; i < list.size(); i++) {
            joined += "," + list.get(i);
        }
        return joined;
    }
}
