/* Baseline: positions by a hash table and rows of options, breadth first (own code, no other library).
 *   explore slide LAST START STEP…    a token on the squares 0 … LAST
 *   explore wythoff A B               two heaps; a position is the smaller heap and the larger one
 *   explore stalk COLORS              a stalk of Green-Lime Hackenbush, as in glgl, from the ground up
 * Prints JSON {"explore_s","label_s","positions","options","value","rss_mb"}. `value` is the nimber of the start, −1 if it
 * is infinite, and −2 for stalks, which have carry-on moves and are not labelled. */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/resource.h>
#include <unordered_map>
#include <vector>

using u32 = uint32_t;
using u64 = uint64_t;

struct Graph {
  std::vector<u64> positions;
  std::vector<u32> starts{0}, options;
};

/* Adds the options of each position, sorted and each once, until all followers are known. */
template <class Options> Graph explore(u64 start, Options options_of) {
  Graph g;
  std::unordered_map<u64, u32> numbers;
  numbers.emplace(start, 0);
  g.positions.push_back(start);
  std::vector<u64> found;
  std::vector<u32> row;
  for (size_t next = 0; next < g.positions.size(); next++) {
    found.clear();
    options_of(g.positions[next], found);
    row.clear();
    for (u64 to : found) {
      auto [entry, is_new] = numbers.emplace(to, u32(g.positions.size()));
      if (is_new) g.positions.push_back(to);
      row.push_back(entry->second);
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    g.options.insert(g.options.end(), row.begin(), row.end());
    g.starts.push_back(u32(g.options.size()));
  }
  return g;
}

/* Nimbers by the mex rule from the ends of play; empty if play can go round in circles. */
std::vector<int> mex(const Graph &g) {
  u32 n = u32(g.positions.size());
  std::vector<u32> first(n + 2), before(g.options.size()), open(n), ready, mark(n + 2, u32(-1));
  for (u32 to : g.options) first[to + 2]++;
  for (u32 v = 2; v <= n + 1; v++) first[v] += first[v - 1];
  for (u32 v = 0; v < n; v++) {
    open[v] = g.starts[v + 1] - g.starts[v];
    if (open[v] == 0) ready.push_back(v);
    for (u32 e = g.starts[v]; e < g.starts[v + 1]; e++) before[first[g.options[e] + 1]++] = v;
  }
  std::vector<int> nimber(n);
  for (size_t head = 0; head < ready.size(); head++) {
    u32 v = ready[head];
    for (u32 e = g.starts[v]; e < g.starts[v + 1]; e++) mark[nimber[g.options[e]]] = v;
    while (mark[nimber[v]] == v) nimber[v]++;
    for (u32 e = first[v]; e < first[v + 1]; e++)
      if (--open[before[e]] == 0) ready.push_back(before[e]);
  }
  if (ready.size() < n) nimber.clear();
  return nimber;
}

/* Nimbers by levels, as in Smith, Fraenkel and Perl; −1 for infinite positions. */
std::vector<int> label(const Graph &g) {
  u32 n = u32(g.positions.size());
  std::vector<u32> first(n + 2), before(g.options.size());
  for (u32 to : g.options) first[to + 2]++;
  for (u32 v = 2; v <= n + 1; v++) first[v] += first[v - 1];
  for (u32 v = 0; v < n; v++)
    for (u32 e = g.starts[v]; e < g.starts[v + 1]; e++) before[first[g.options[e] + 1]++] = v;
  std::vector<u32> open(n), count(n), queue;
  std::vector<int> nimber(n, -1), wins(n, -1), eligible(n, 0);
  for (u32 v = 0; v < n; v++) open[v] = g.starts[v + 1] - g.starts[v];
  for (int level = 0;; level++) {
    queue.clear();
    bool any = false;
    for (u32 v = 0; v < n; v++) {
      count[v] = open[v];
      if (nimber[v] < 0 && eligible[v] == level) {
        any = true;
        if (count[v] == 0) { nimber[v] = level; queue.push_back(v); }
      }
    }
    if (!any) return nimber;
    for (size_t head = 0; head < queue.size(); head++) {
      u32 v = queue[head];
      for (u32 e = first[v]; e < first[v + 1]; e++) {
        u32 u = before[e];
        open[u]--;
        if (nimber[u] >= 0 || wins[u] == level) continue;
        wins[u] = level;
        for (u32 f = first[u]; f < first[u + 1]; f++) {
          u32 w = before[f];
          if (nimber[w] < 0 && --count[w] == 0 && wins[w] != level && eligible[w] == level) {
            nimber[w] = level;
            queue.push_back(w);
          }
        }
      }
    }
    for (u32 v = 0; v < n; v++)
      if (nimber[v] < 0 && eligible[v] == level && wins[v] == level) eligible[v] = level + 1;
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: explore slide|wythoff|stalk …\n"), 2;
  std::string kind = argv[1];
  auto number = [&](int i) { return i < argc ? atoll(argv[i]) : 0; };
  auto clock = [] { return std::chrono::steady_clock::now(); };
  auto began = clock();
  Graph g;
  if (kind == "slide") {
    u64 last = number(2);
    std::vector<int64_t> steps;
    for (int i = 4; i < argc; i++) steps.push_back(number(i));
    g = explore(number(3), [&](u64 square, std::vector<u64> &to) {
      for (int64_t step : steps)
        if (int64_t(square) + step >= 0 && square + step <= last) to.push_back(square + step);
    });
  } else if (kind == "wythoff") {
    auto pair = [](u64 a, u64 b) { return std::min(a, b) << 32 | std::max(a, b); };
    g = explore(pair(number(2), number(3)), [&](u64 position, std::vector<u64> &to) {
      u64 a = position >> 32, b = position & 0xffffffff;
      for (u64 k = 1; k <= a; k++) to.push_back(pair(a - k, b));
      for (u64 k = 1; k <= b; k++) to.push_back(pair(a, b - k));
      for (u64 k = 1; k <= a; k++) to.push_back(pair(a - k, b - k));
    });
  } else if (kind == "stalk") {
    /* Bit i is edge i from the ground, set if it is lime; the length is above bit 56. */
    u64 length = strlen(argv[2]), colors = 0;
    for (u64 i = 0; i < length; i++) colors |= u64(argv[2][i] == 'l') << i;
    g = explore(length << 56 | colors, [&](u64 position, std::vector<u64> &to) {
      u64 length = position >> 56, colors = position & ((u64(1) << 55) - 1);
      for (u64 i = 0; i < length; i++) to.push_back(i << 56 | (colors & ((u64(1) << i) - 1)));
      for (u64 i = 0; i + 1 < length; i++)
        if ((colors >> i & 1) != (colors >> (i + 1) & 1)) to.push_back(position ^ (u64(3) << i));
    });
  } else {
    return fprintf(stderr, "usage: explore slide|wythoff|stalk …\n"), 2;
  }
  auto explored = clock();
  int value = -2;
  if (kind != "stalk") {
    std::vector<int> nimbers = mex(g);
    value = nimbers.empty() ? label(g)[0] : nimbers[0];
  }
  auto labelled = clock();
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  printf("{\"explore_s\":%.6f,\"label_s\":%.6f,\"positions\":%zu,\"options\":%zu,\"value\":%d,\"rss_mb\":%.1f}\n",
         seconds(began, explored), seconds(explored, labelled), g.positions.size(), g.options.size(), value,
         usage.ru_maxrss / 1024.0);
}
