/**
 * Annotations that mark types for the annotation processor of {@code serialization-processor}, which generates their codecs at compile time.
 * The annotations are not available at run time. The processor is set up in Maven like this:
 *
 * <pre>{@code
 * <artifactId>maven-compiler-plugin</artifactId>
 * <configuration>
 *   <proc>full</proc>
 *   <annotationProcessorPaths>
 *     <path>
 *       <groupId>dev.touchstone</groupId>
 *       <artifactId>serialization-processor</artifactId>
 *       <version>...</version>
 *     </path>
 *   </annotationProcessorPaths>
 * </configuration>
 * }</pre>
 *
 * <p>Then types can be marked and serialized:
 *
 * <pre>{@code
 * @Compact("line")
 * record Line(String article, int pieces, BigDecimal price) {}
 *
 * CompactSerialization serialization = CompactSerialization.builder().codec(LineCodec.INSTANCE).build();
 * byte[] bytes = serialization.encode(new Line("pen", 3, new BigDecimal("1.20")));
 * Line line = (Line) serialization.decode(bytes);
 * int pieces = new LineView(serialization).wrap(bytes).pieces();
 * }</pre>
 */
@NullMarked
package dev.touchstone.serialization.annotation;

import org.jspecify.annotations.NullMarked;
